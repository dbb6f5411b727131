import Foundation

/// A store whose deletions have a deadline, regardless of delays. A process suspended during a deletion must not,
/// when it resumes, delete an object that was stored again since.
package protocol DatedDeletion: Sendable {
    /// Deletes an object; succeeds if it does not exist.
    /// - Parameter deadline: The time after which the deletion is not accepted. The request carries a date from which
    ///   the store rejects it a quarter of an hour later. A local store compares the deadline with its clock in the
    ///   transaction that deletes.
    /// - Throws: `outcomeUnknown` if the response was lost: the deletion may still take effect until that quarter of
    ///   an hour has passed. After any other error it has not taken effect.
    func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError)
}
