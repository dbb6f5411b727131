import Crypto
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// A library in memory, and the exports of it.
struct ExportFixture {
    let user: UserID
    let store = MemoryObjectStore(now: { Date(timeIntervalSince1970: 1_780_000_000) })
    let digests: RecordedDigests
    /// The content of `keys.json`; the key that signs if `nil`.
    var includedKeys: String?
    private(set) var catalog = Catalog()
    var isCatalogDamaged = false
    /// Other files of the account.
    var documents: [ExportFile] = []

    init(signedBy digests: RecordedDigests = RecordedDigests()) throws {
        self.digests = digests
        user = try #require(UserID("9ae13d2b-2476-4748-a1ad-86e4fc7327e1"))
    }

    /// A library with a photo, a video, a name that not every system shows, photos in the trash, and a stored file that
    /// the catalog does not list.
    static func sample() async throws -> ExportFixture {
        var fixture = try ExportFixture()
        try await fixture.add("2024/IMG_1.jpg", Data("first photo".utf8))
        try await fixture.add("2024/IMG_1.xmp", Data("<x/>".utf8), type: .xmp)
        try await fixture.add("2024/Zürich \"a\".mov", Data(repeating: 7, count: 70_000), type: .jpeg)
        try await fixture.add("back\\slash\u{1}.jpg", Data("odd".utf8))
        try await fixture.add("described.jpg", Data("described".utf8))
        try await fixture.add("described.jpg.supplemental-metadata.json", Data("{}".utf8), type: .takeoutDescription)
        try await fixture.add("empty.jpg", Data())
        try await fixture.add("gone.jpg", Data("trashed once".utf8), isInTrash: true)
        try await fixture.add("gone.jpg", Data("trashed twice".utf8), isInTrash: true)
        try await fixture.store(Data("never registered".utf8))
        return fixture
    }

    /// Adds a photo to the catalog and stores it.
    mutating func add(
        _ path: String, _ bytes: Data, type: MediaType = .jpeg, isInTrash: Bool = false,
        modified: Int64 = 1_714_000_001, taken: String? = "2024-05-06T07:08:09+02:00",
        location: GeoLocation? = nil
    ) async throws {
        let entry = try entry(path, bytes, type, modified: modified, taken: taken, location: location)
        try await store(bytes)
        catalog.join(Catalog(of: [entry]))
        if isInTrash {
            catalog.join(
                Catalog([.trash(entry.path, entry.md5)], after: 1, by: .none, trashed: 1_780_000_000))
        }
    }

    /// Adds a photo to the catalog without storing it.
    mutating func list(_ path: String, _ bytes: Data) throws { try list([(path, bytes)]) }

    mutating func list(_ files: [(path: String, bytes: Data)]) throws {
        catalog.join(Catalog(of: try files.map { try entry($0.path, $0.bytes) }))
    }

    func key(_ bytes: Data) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(user, md5: "\(ContentDigest(of: ByteBuffer(bytes: bytes)))"))
    }

    func store(_ bytes: Data) async throws {
        _ = try await store.put(key(bytes), ByteBuffer(bytes: bytes), if: .always)
    }

    private func entry(
        _ path: String, _ bytes: Data, _ type: MediaType = .jpeg, modified: Int64 = 1_714_000_001,
        taken: String? = "2024-05-06T07:08:09+02:00", location: GeoLocation? = nil
    ) throws -> CatalogEntry {
        CatalogEntry(
            path: try #require(LibraryPath(path)), md5: ContentDigest(of: ByteBuffer(bytes: bytes)),
            size: Int64(bytes.count), modified: Timestamp(seconds: modified, nanoseconds: 5), type: type,
            media: MediaFacts(taken: taken.flatMap { CaptureDate($0) }, location: location))
    }

    func plan() async throws -> ExportPlan {
        try plan(try await StoreDifferences(of: catalog, in: store, user: user, leavesOutArchived: true))
    }

    func plan(_ stored: StoreDifferences) throws -> ExportPlan {
        let description = ExportDescription(
            account: user, created: Date(timeIntervalSince1970: 1_780_000_000.7), assembledBy: .server,
            isCatalogDamaged: isCatalogDamaged,
            signatureSize: try digests.sign(String(repeating: "0", count: 64), of: user).utf8.count)
        let log = #"{"at":"2026-01-01T00:00:00Z","previousHash":"\#(String(repeating: "0", count: 64))","sequence":1}"#
        let hash = Hex.encode(SHA256.hash(data: Data(log.utf8)))
        let files: [ExportFile] = [
            ExportFile(
                path: "index.html",
                bytes: ExportResources.index(of: user, service: "https://photos.example", created: description.created)),
            ExportFile.verifyScript,
            ExportFile(path: "keys.json", bytes: ByteBuffer(string: includedKeys ?? digests.keys)),
            ExportFile(
                path: "account/account.json",
                bytes: ByteBuffer(string: #"{"auditLog":{"entries":1,"sha256":"\#(hash)"}}"#)),
            ExportFile(path: "account/audit-log.jsonl", bytes: ByteBuffer(string: log + "\n")),
        ]
        return try ExportPlan(description, files: files + documents, catalog: catalog, stored: stored)
    }

    func reader(_ plan: ExportPlan, digests other: RecordedDigests? = nil) -> ExportReader {
        let (store, digests) = (store, other ?? digests)
        digests.user.withLock { $0 = user }
        return ExportReader(plan, contents: ExportContents(user: user, fillsArchived: true) { store }, digests: digests)
    }

    /// Returns the bytes of an export, or of a range of it.
    func bytes(
        _ plan: ExportPlan, _ range: Range<Int64>? = nil, digests: RecordedDigests? = nil
    ) async throws -> Data {
        var bytes = Data()
        try await reader(plan, digests: digests).read(range ?? 0..<plan.size) {
            bytes.append(contentsOf: $0.readableBytesView)
        }
        return bytes
    }

    /// Writes an export to a file that is removed with the folder.
    func archive(in folder: TemporaryFolder) async throws -> URL {
        let file = URL(filePath: folder.subpath("export.zip"))
        try await bytes(try await plan()).write(to: file)
        return file
    }
}
