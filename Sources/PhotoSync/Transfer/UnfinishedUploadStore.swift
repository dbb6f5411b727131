import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog

/// This device's record of multipart uploads: one small file for each.
package struct UnfinishedUploadStore: UnfinishedUploads {
    private let folder: String

    /// - Parameters:
    ///   - stateFolder: The folder for the records; created if it does not exist.
    ///   - store: An identifier of the store.
    package init(stateFolder: String, store: String) {
        folder = "\(stateFolder)/uploads-\(ContentDigest(of: ByteBuffer(string: store)))"
    }

    package func uploadID(to key: ObjectKey) async -> String? {
        let path = path(of: key)
        let record = try? await FileWork.run { () throws(FileError) in try Record(path) }
        // The stored key is compared, to rule out the practically impossible collision of digests.
        return record.flatMap { $0.key == key ? $0.upload : nil }
    }

    package func record(_ upload: String, to key: ObjectKey) async {
        let (folder, path) = (folder, path(of: key))
        try? await FileWork.run { () throws(FileError) in
            try LocalFolder.create(folder)
            try StateFile.replace(path, with: ByteBuffer(string: "\(key)\n\(upload)"))
        }
    }

    package func remove(_ key: ObjectKey) async {
        let path = path(of: key)
        try? await FileWork.run { () throws(FileError) in StateFile.remove(path) }
    }

    /// Returns uploads that were not resumed since a date.
    package func stale(since moment: Date) async -> [(key: ObjectKey, upload: String)] {
        let folder = folder
        let limit = Timestamp(seconds: Int64(moment.timeIntervalSince1970), nanoseconds: 0)
        let records = try? await FileWork.run { () throws(FileError) in
            try FolderListing.names(of: folder).compactMap { name in
                let record = try? Record("\(folder)/\(String(decoding: name, as: UTF8.self))")
                return record.flatMap { $0.written < limit ? $0 : nil }
            }
        }
        return (records ?? []).map { ($0.key, $0.upload) }
    }

    private func path(of key: ObjectKey) -> String {
        "\(folder)/\(ContentDigest(of: ByteBuffer(string: key.description)))"
    }

    /// The content of one file: the key on the first line, then the upload id as returned by the store.
    private struct Record: Sendable {
        let key: ObjectKey
        let upload: String
        let written: Timestamp

        init(_ path: String) throws(FileError) {
            let file = try OpenFile(path)
            let fingerprint = try file.fingerprint()
            let text = String(buffer: try file.read(from: 0, count: Int(min(fingerprint.size, 8192))))
            guard let line = text.firstIndex(of: "\n"), let key = ObjectKey(String(text[..<line])),
                fingerprint.size < 8192, line < text.indices.last ?? line
            else { throw .unsupported }
            self.key = key
            upload = String(text[text.index(after: line)...])
            written = fingerprint.modified
        }
    }
}
