import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import PhotoSync

struct UnfinishedUploadStoreTests {
    private let folder: TemporaryFolder
    private let uploads: UnfinishedUploadStore
    private let one = ObjectKey(known: "photos/one")
    private let two = ObjectKey(known: "photos/two")
    private static let week = 7.0 * 86_400

    init() throws {
        folder = try TemporaryFolder()
        uploads = UnfinishedUploadStore(stateFolder: folder.path, store: "a store")
    }

    /// Makes all records older by `seconds`.
    private func age(by seconds: Double) throws {
        for name in try folder.files() {
            let date = try #require(try folder.modified(name)).addingTimeInterval(-seconds)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.subpath(name))
        }
    }

    private func stale() async -> [String] {
        await uploads.stale(since: Date(timeIntervalSinceNow: -Self.week / 2)).map { "\($0.key) \($0.upload)" }.sorted()
    }

    @Test("a recorded upload is known for its key and store until it is forgotten")
    func known() async {
        await uploads.record("u1", to: one)
        await uploads.record("u/2?", to: two)
        #expect(await uploads.uploadID(to: one) == "u1")
        #expect(await uploads.uploadID(to: two) == "u/2?")
        #expect(await UnfinishedUploadStore(stateFolder: folder.path, store: "another").uploadID(to: one) == nil)
        await uploads.remove(one)
        #expect(await uploads.uploadID(to: one) == nil)
    }

    @Test("abandoned uploads are stale, and resumed ones are not")
    func leftAlone() async throws {
        await uploads.record("u1", to: one)
        await uploads.record("u2", to: two)
        #expect(await stale().isEmpty)
        try age(by: Self.week)
        #expect(await stale() == ["photos/one u1", "photos/two u2"])
        await uploads.record("u1", to: one)
        #expect(await stale() == ["photos/two u2"])
    }
}
