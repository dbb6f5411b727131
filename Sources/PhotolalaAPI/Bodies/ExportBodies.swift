import Foundation

/// An export of an account: a ZIP archive with its photos and everything else that is stored about it.
public struct AccountExport: Codable, Sendable, Equatable {
    /// Identifies the export in its URL.
    public let id: ExportID
    /// When the export was requested. Later changes of the account are not in it.
    public let createdAt: Date
    /// When the download must have begun.
    public let expiresAt: Date
    /// The size of the archive in bytes.
    public let size: Int64
    /// The number of photos, those in the trash included.
    public let photos: Int
    /// The number of photos of the catalog that the store does not have. `missing.json` in the archive names them.
    public let missingPhotos: Int
    /// The number of photos that are left out because they are archived in the store. The library's pages
    /// and `photolala recall` request them from the archive for a later export.
    public let archivedPhotos: Int
    /// Whether the library's catalog is damaged: all stored photos are in the folder `unlisted`, without their paths.
    public let isCatalogDamaged: Bool

    /// Creates an export.
    public init(
        id: ExportID, createdAt: Date, expiresAt: Date, size: Int64, photos: Int, missingPhotos: Int,
        archivedPhotos: Int, isCatalogDamaged: Bool
    ) {
        self.id = id
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.size = size
        self.photos = photos
        self.missingPhotos = missingPhotos
        self.archivedPhotos = archivedPhotos
        self.isCatalogDamaged = isCatalogDamaged
    }
}

/// Answer of `GET /account/export`.
public struct CurrentExport: Codable, Sendable, Equatable {
    /// The account's export; omitted if there is none that this device can download.
    public let export: AccountExport?

    /// Creates an answer.
    public init(export: AccountExport?) { self.export = export }
}

/// The account's files of an export that a device assembles with the photos.
public struct ExportFiles: Codable, Sendable, Equatable {
    /// A file of an export.
    public struct File: Codable, Sendable, Equatable {
        /// The path in the archive.
        public let path: String
        /// The content; base64 in JSON.
        public let content: Data

        /// Creates a file.
        public init(path: String, content: Data) {
            self.path = path
            self.content = content
        }
    }

    /// A stored object of the person's own data that is too large to be exported with the account.
    public struct LeftOut: Codable, Sendable, Equatable {
        /// The key in the photo store.
        public let key: String
        /// The size in bytes.
        public let size: Int64

        /// Creates an object.
        public init(key: String, size: Int64) {
            self.key = key
            self.size = size
        }
    }

    /// The files, in the order of the archive.
    public let files: [File]
    /// What is not exported, and can be downloaded with storage credentials.
    public let leftOut: [LeftOut]
    /// When the export was requested.
    public let createdAt: Date
    /// The size of the signature in bytes.
    public let signatureSize: Int

    /// Creates the files.
    public init(files: [File], leftOut: [LeftOut], createdAt: Date, signatureSize: Int) {
        self.files = files
        self.leftOut = leftOut
        self.createdAt = createdAt
        self.signatureSize = signatureSize
    }
}

/// Body of `POST /account/export/signature`.
public struct ExportSignatureRequest: Codable, Sendable, Equatable {
    /// The SHA-256 of `manifest.json`: 64 lower-case hex digits.
    public let manifestSHA256: String

    /// Creates a request.
    public init(manifestSHA256: String) { self.manifestSHA256 = manifestSHA256 }
}

/// The signature of an export that a device assembled.
public struct ExportSignature: Codable, Sendable, Equatable {
    /// A compact JWS (RFC 7515). The keys are at `/.well-known/erasure-keys.json`.
    public let signature: String

    /// Creates a signature.
    public init(signature: String) { self.signature = signature }
}
