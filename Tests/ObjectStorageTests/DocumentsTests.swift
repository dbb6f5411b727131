import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

/// Documents whose decoded form is kept.
@Suite struct DocumentsTests {
    private struct Note: VersionedDocument {
        var version = 1
        var text: String
        var at: Date?
    }

    private static let retry = RetryPolicy(attempts: 3, backoff: .none)

    @Test("a document that another instance changed is read in its new state")
    func changed() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let (first, second) = (
            Documents<Note>(store: store, retry: Self.retry), Documents<Note>(store: store, retry: Self.retry)
        )
        let key = ObjectKey(known: "notes/one")
        _ = try await first.create(key, Note(text: "old"))
        let known = try #require(try await first.load(key))
        let other = try #require(try await second.load(key))
        _ = try await second.replace(key, other, with: Note(text: "new"))
        #expect(try await first.load(key)?.value == Note(version: 2, text: "new"))
        await #expect(throws: ObjectStoreError.preconditionFailed) {
            try await first.replace(key, known, with: Note(text: "lost"))
        }
        try await store.delete(key, if: .always)
        #expect(try await first.load(key)?.value == nil)
    }

    @Test("a written document is read as it is stored: with dates in whole seconds")
    func wholeSeconds() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let documents = Documents<Note>(store: store, retry: Self.retry)
        let key = ObjectKey(known: "notes/two")
        _ = try await documents.create(key, Note(text: "", at: Date(timeIntervalSince1970: 10.75)))
        for _ in 0..<2 { #expect(try await documents.load(key)?.value.at == Date(timeIntervalSince1970: 10)) }
    }

    @Test("more documents than are kept are all read correctly")
    func many() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let documents = Documents<Note>(store: store, retry: Self.retry)
        let keys = (0..<2100).map { ObjectKey(known: "notes/\($0)") }
        for (number, key) in keys.enumerated() { _ = try await documents.create(key, Note(text: "\(number)")) }
        for _ in 0..<2 {
            for (number, key) in keys.enumerated() { #expect(try await documents.load(key)?.value.text == "\(number)") }
        }
    }
}
