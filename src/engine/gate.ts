/** Keeps results of other hosts back while a person is being asked. */

export class Gate {
  #closed: Promise<void> | undefined

  /** Somebody is being asked. To be asked again after every pass(): another may have been quicker. */
  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** Waits until nobody is being asked. */
  async pass(): Promise<void> {
    while (this.#closed) await this.#closed
  }

  /** Does the work while everybody else waits at the gate, for ever if it throws: then the run ends. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed
    let open = (): void => undefined
    this.#closed = new Promise((resolve) => {
      open = resolve
    })
    const done = await work()
    this.#closed = undefined
    open()
    return done
  }
}
