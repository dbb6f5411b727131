import Foundation
import ObjectStorage
import Testing

@testable import PhotoLibrary

struct UploadNotesTests {
    private let folder: TemporaryFolder
    private let notes: UploadNotes
    private let one = ObjectKey(known: "photos/one")
    private let two = ObjectKey(known: "photos/two")
    private static let week = 7.0 * 86_400

    init() throws {
        folder = try TemporaryFolder()
        notes = UploadNotes(stateFolder: folder.path, store: "a store")
    }

    /// Makes all records older by `seconds`.
    private func age(by seconds: Double) throws {
        for name in try folder.files() {
            let date = try #require(try folder.modified(name)).addingTimeInterval(-seconds)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.place(name))
        }
    }

    private func stale() async -> [String] {
        await notes.stale(since: Date(timeIntervalSinceNow: -Self.week / 2)).map { "\($0.key) \($0.upload)" }.sorted()
    }

    @Test("a recorded upload is known for its key and store until it is forgotten")
    func known() async {
        await notes.note("u1", to: one)
        await notes.note("u/2?", to: two)
        #expect(await notes.upload(to: one) == "u1")
        #expect(await notes.upload(to: two) == "u/2?")
        #expect(await UploadNotes(stateFolder: folder.path, store: "another").upload(to: one) == nil)
        await notes.forget(one)
        #expect(await notes.upload(to: one) == nil)
    }

    @Test("abandoned uploads are stale, and resumed ones are not")
    func leftAlone() async throws {
        await notes.note("u1", to: one)
        await notes.note("u2", to: two)
        #expect(await stale().isEmpty)
        try age(by: Self.week)
        #expect(await stale() == ["photos/one u1", "photos/two u2"])
        await notes.note("u1", to: one)
        #expect(await stale() == ["photos/two u2"])
    }
}
