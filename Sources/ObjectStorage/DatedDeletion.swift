import Foundation

/// A store that is not asked to delete any more after a moment, whatever happens on the way to it: a process that is
/// stopped in the middle of an act must not delete, when it goes on, what was stored anew meanwhile.
package protocol DatedDeletion: Sendable {
    /// Deletes an object; one that is not there is deleted.
    /// - Parameter deadline: the request bears an earlier date, by which the store refuses it a quarter of an hour later. A
    ///   store on this machine compares it with its clock in the transaction that deletes.
    /// - Throws: `outcomeUnknown` where the answer was lost: until that quarter of an hour is over it may still be done. With
    ///   any other error it is not done.
    func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError)
}
