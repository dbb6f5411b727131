import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// What the service stores of one export: its head, the digests of its photos, and its signature.
struct StoredExport: Sendable {
    let store: any ObjectStore
    let user: UserID
    let id: ExportID

    func writeHead(_ head: ByteBuffer) async throws {
        try await store.write(headKey, ObjectBody(head), attributes: [:], if: .always)
    }

    /// Returns the size of the head in bytes, or `nil` if it is not stored.
    func headSize() async throws -> Int64? { try await store.head(headKey)?.size }

    /// Reads the head; `nil` if it is not stored.
    func head() async throws -> ByteBuffer? { try await store.get(headKey, limit: 2 * ExportPlan.maximumHead)?.bytes }

    private var headKey: ObjectKey { ObjectKey(known: StorageLayout.exportHead(user, id)) }

    /// Removes an account's exports.
    /// - Parameter isRemoved: returns whether an object is removed.
    static func remove(
        of user: UserID, in store: some ObjectStore, where isRemoved: (ListedObject) -> Bool
    ) async throws {
        var after: String?
        while true {
            let page = try await store.list(prefix: StorageLayout.exports(user), after: after, limit: 1000)
            for object in page.objects where isRemoved(object) { try await store.delete(object.key, if: .always) }
            guard page.isTruncated, let last = page.objects.last else { return }
            after = last.key.description
        }
    }
}

/// The digests and the signature of a stored export.
struct StoredExportDigests: DigestStore {
    let export: StoredExport
    let signer: ExportSigner
    let access: ExportAccess

    func digests(ofBlock block: Int) async throws -> ByteBuffer? {
        try await export.store.get(key(block))?.bytes
    }

    func store(_ digests: ByteBuffer, ofBlock block: Int) async throws {
        try await access.checkExport()
        _ = try await export.store.put(key(block), digests, if: .always)
    }

    func signature(of manifest: () async throws -> String) async throws -> String {
        let key = ObjectKey(known: StorageLayout.exportSignature(export.user, export.id))
        if let stored = try await export.store.get(key) { return String(buffer: stored.bytes) }
        let signature = try await signer.sign(manifest(), of: export.user, assembledBy: .server)
        try await access.checkExport()
        do throws(ObjectStoreError) {
            _ = try await export.store.put(key, ByteBuffer(string: signature), if: .absent)
            return signature
        } catch .preconditionFailed {
            // Another download of the same export signed first, or a response was lost.
            guard let stored = try await export.store.get(key) else { throw ObjectStoreError.preconditionFailed }
            return String(buffer: stored.bytes)
        }
    }

    private func key(_ block: Int) -> ObjectKey {
        ObjectKey(known: StorageLayout.exportDigests(export.user, export.id, block: block))
    }
}

/// Signs the manifests of exports.
struct ExportSigner: Sendable {
    let key: ErasureKey
    /// The `iss` of signatures.
    let issuer: String
    let now: @Sendable () -> Date

    /// The payload of a signature.
    private struct Payload: Encodable {
        let iss: String
        let sub: UserID
        let iat: Int
        let assembled_by: ExportDescription.Assembler
        let manifest_sha256: String
    }

    /// Signs a manifest.
    /// - Parameter manifest: its SHA-256, in hex.
    /// - Returns: a compact JWS (RFC 7515 section 7.1).
    func sign(
        _ manifest: String, of user: UserID, assembledBy assembler: ExportDescription.Assembler
    ) async throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let payload = Payload(
            iss: issuer, sub: user, iat: Int(now().timeIntervalSince1970), assembled_by: assembler,
            manifest_sha256: manifest)
        return try await key.sign(try encoder.encode(payload), type: ErasureKey.exportType)
    }

    /// Returns the size of a signature in bytes, which does not depend on the manifest.
    func signatureSize(of user: UserID, assembledBy assembler: ExportDescription.Assembler) async throws -> Int {
        try await sign(String(repeating: "0", count: 64), of: user, assembledBy: assembler).utf8.count
    }
}
