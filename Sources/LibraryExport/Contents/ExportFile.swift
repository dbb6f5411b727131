import NIOCore
import PhotoCatalog

/// A file of an export whose bytes are known when the export begins.
package struct ExportFile: Sendable, Equatable {
    package let path: String
    package let bytes: ByteBuffer
    let isExecutable: Bool

    package init(path: String, bytes: ByteBuffer, isExecutable: Bool = false) {
        (self.path, self.bytes, self.isExecutable) = (path, bytes, isExecutable)
    }
}

extension ExportFile {
    /// Returns whether every system can extract a file with this path.
    package static func isPlain(_ path: String) -> Bool { LibraryPath(path).map(ExportItems.isPlain) ?? false }
}

/// The paths of files with a meaning for the export itself.
package enum ExportPath {
    /// Names the account and the time of the export.
    package static let description = "export.json"
    /// The script that verifies an export.
    package static let verifyScript = "verify-export"
    package static let missing = "missing.json"
    /// The last file before the photos.
    package static let catalog = "catalog.csv"
    package static let manifest = "manifest.json"
    package static let signature = "manifest.jws"
    /// The folder of the account's files.
    package static let account = "account"
    // Folders.
    static let photos = "photos"
    static let trash = "trash"
    static let unlisted = "unlisted"
    static let renamed = "renamed"

    /// Returns the path of a file of the person's own data, given its key without the prefix.
    package static func ownData(_ name: String) -> String { "\(account)/files/\(name)" }
}
