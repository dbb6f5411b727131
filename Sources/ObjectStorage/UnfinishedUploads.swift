/// Remembers uploads in parts that are not complete, so that another process can go on with them. Only uploads of
/// objects whose content is known by their key are remembered.
///
/// A memory that fails forgets: then an upload begins anew.
package protocol UnfinishedUploads: Sendable {
    /// The store's id of the upload to a key.
    func upload(to key: ObjectKey) async -> String?

    /// Notes an upload that was begun, in place of an earlier one to the same key.
    func note(_ upload: String, to key: ObjectKey) async

    /// Forgets an upload that was completed or given up.
    func forget(_ key: ObjectKey) async
}
