import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// A person with two identities, two devices, and photos that were uploaded from a browser.
struct AccountExportFixture {
    let memory: MemoryObjectStore
    let service: TestService
    let session: Session
    let user: UserID

    init(photos: Int = 3) async throws {
        let clock = TestClock()
        memory = MemoryObjectStore { clock.now }
        service = try await TestService.make(.init(), store: memory, clock: clock)
        session = try await service.bobWithTwo().session
        _ = try await service.signIn(.google, "bob", device: 2)
        user = try await service.caller(session).user
        let caller = try await service.caller(session)
        _ = try await service.services.account.replaceProfile(
            user, with: Profile(displayName: "Bob Example"), if: .any, caller: caller)
        var uploads: [UploadedPhoto] = []
        for seed in 0..<UInt8(photos) {
            let md5 = ContentDigest(of: Self.photo(seed))
            _ = try await service.store.put(
                ObjectKey(known: StorageLayout.photo(user, md5: "\(md5)")), Self.photo(seed), if: .always)
            uploads.append(
                UploadedPhoto(
                    path: try #require(LibraryPath("Uploads/\(seed).jpg")), md5: md5,
                    modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0)))
        }
        let outcomes = try await service.services.libraryUploads.finishUploads(uploads, caller: caller)
        #expect(outcomes.allSatisfy { $0 == .added })
    }

    static func photo(_ seed: UInt8) -> ByteBuffer {
        ByteBuffer(
            bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8) + Array(repeating: 7, count: 90) + [seed])
    }

    func caller() async throws -> Caller { try await service.caller(session) }

    func create() async throws -> AccountExport { try await service.services.export.create(try await caller()) }

    func bytes(of export: AccountExport) async throws -> Data {
        let download = try await service.services.export.open(export.id, caller: try await caller())
        var bytes = Data()
        try await download.open().read(0..<export.size) { bytes.append(contentsOf: $0.readableBytesView) }
        return bytes
    }

    /// Returns the files of an export's head, by path.
    func files(of export: AccountExport) async throws -> [String: String] {
        let head = try await service.store.get(
            ObjectKey(known: StorageLayout.exportHead(user, export.id)), limit: 1 << 20)
        let plan = try await ExportPlan(head: try #require(head).bytes)
        return Dictionary(plan.files.map { ($0.path, String(buffer: $0.bytes)) }) { first, _ in first }
    }

    func storedKeys() async throws -> [String] {
        try await service.store.list(prefix: StorageLayout.exports(user), after: nil, limit: 1000).objects
            .map(\.key.description)
    }
}
