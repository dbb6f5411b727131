import NIOCore

/// A store that accepts bytes without storing them, to measure the upload speed.
package protocol UploadProbe: Sendable {
    /// Sends bytes to a key; an existing object is unchanged.
    func probeUpload(_ bytes: ByteBuffer, to key: ObjectKey) async throws(ObjectStoreError)
}
