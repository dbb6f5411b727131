import NIOCore

/// A store to which bytes can be sent without anything being there afterwards, to see how long that takes.
package protocol UploadRehearsal: Sendable {
    /// Sends bytes to a key; whatever is there stays as it is.
    func rehearse(_ bytes: ByteBuffer, to key: ObjectKey) async throws(ObjectStoreError)
}
