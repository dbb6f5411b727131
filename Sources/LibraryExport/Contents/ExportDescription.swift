import Foundation
import PhotolalaAPI

/// `export.json`: whose export it is, and how it was made.
package struct ExportDescription: Codable, Sendable, Equatable {
    /// Who reads the photos and writes the archive.
    package enum Assembler: String, Codable, Sendable {
        case server
        /// The person's device, with the account's files from the server.
        case device
    }

    package static let format = "photolala-export/1"

    package let format: String
    package let account: UserID
    /// In whole seconds.
    package let created: Date
    package let assembledBy: Assembler
    /// Whether the catalog could not be read: the export then has all stored photos, without their paths.
    package let isCatalogDamaged: Bool
    /// The size of `manifest.jws` in bytes, which is the same whatever the manifest.
    package let signatureSize: Int

    package init(
        account: UserID, created: Date, assembledBy: Assembler, isCatalogDamaged: Bool = false, signatureSize: Int
    ) {
        format = Self.format
        self.account = account
        self.created = Date(timeIntervalSince1970: created.timeIntervalSince1970.rounded(.down))
        self.assembledBy = assembledBy
        self.isCatalogDamaged = isCatalogDamaged
        self.signatureSize = signatureSize
    }
}
