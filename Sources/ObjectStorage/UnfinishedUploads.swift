/// Records incomplete multipart uploads, so that another process can resume them. Only uploads whose key identifies
/// their content are recorded.
///
/// If the record is lost, an upload starts again.
package protocol UnfinishedUploads: Sendable {
    /// Returns the store's id of the upload to a key.
    func uploadID(to key: ObjectKey) async -> String?

    /// Records a started upload, replacing an earlier one to the same key.
    func record(_ upload: String, to key: ObjectKey) async

    /// Removes the record of an upload that was completed or aborted.
    func remove(_ key: ObjectKey) async
}
