/** Counts what a session sends, receives, and how often it waits for an answer. */

export class Meter {
  sent = 0
  received = 0
  roundTrips = 0
}
