export type { Inventory, InventoryGroup, InventoryHost } from './api.ts'
