import Foundation
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoSync

@Suite("Changes of a source between backups") struct SourceChangeTests {
    private let fixture: SourceFixture
    private let source = FakePhotoSource()

    init() async throws {
        fixture = try SourceFixture()
        for seed in 1...4 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        #expect(try await fixture.backUp(source).isComplete)
        source.clearLog()
    }

    private var indexName: String {
        get throws { try #require(try fixture.state.files().first { $0.hasSuffix(".index") }) }
    }

    @Test("only new and changed assets are requested and read")
    func changes() async throws {
        source.add("5", PhotoBytes.jpeg(5))
        source.edit("2", PhotoBytes.jpeg(2), PhotoBytes.jpeg(9), modified: SourceFixture.taken + 60)
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.progress.totalFiles == 6 && summary.progress.uploadedFiles == 2)
        #expect(Set(source.requests) == ["2", "5"])
        #expect(source.reads.sorted() == ["2/edited", "5/photo"])
    }

    @Test("a removed asset is not found any more, and its entry stays in the library")
    func removed() async throws {
        source.remove("2")
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.progress.totalFiles == 3 && source.requests.isEmpty)
        #expect(try await fixture.catalog().count == 4)
    }

    @Test("without known changes all assets are listed, and none is read again")
    func expired() async throws {
        source.forgetChanges()
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.progress.totalFiles == 4)
        #expect(source.requests == ["all"] && source.reads.isEmpty)
    }

    @Test("a change that could not be read is read by the next backup")
    func missedChange() async throws {
        source.edit("2", PhotoBytes.jpeg(2), PhotoBytes.jpeg(8), modified: SourceFixture.taken + 60)
        #expect(try await fixture.backUp(source).isComplete)
        source.edit("2", PhotoBytes.jpeg(2), PhotoBytes.jpeg(9), modified: SourceFixture.taken + 120)
        source.fail("2", with: .notDownloaded)
        #expect(try await fixture.backUp(source).failures.count == 1)
        source.fail("2", with: nil)
        source.clearLog()
        #expect(try await fixture.backUp(source).isComplete)
        #expect(source.reads == ["2/edited"])
        #expect(try await fixture.content(at: "edited") == PhotoBytes.jpeg(9))
    }

    @Test("an asset whose date is changed keeps its path on this device")
    func movedDate() async throws {
        let before = try await fixture.catalog()
        source.add("2", PhotoBytes.jpeg(2), created: SourceFixture.taken - 40_000_000)
        #expect(try await fixture.backUp(source).isComplete)
        #expect(try await fixture.catalog() == before)
    }

    @Test("a damaged index makes the next backup list all assets, once")
    func damaged() async throws {
        var bytes = try fixture.state.read(indexName)
        bytes[bytes.count / 2] ^= 1
        try fixture.state.write(indexName, bytes)
        for requests in [["all"], []] {
            #expect(try await fixture.backUp(source).progress.totalFiles == 4)
            #expect(source.requests == requests && source.reads.isEmpty)
            source.clearLog()
        }
    }

    @Test("a lost state computes the same paths again")
    func lost() async throws {
        let before = try await fixture.catalog()
        for name in try fixture.state.files() {
            try FileManager.default.removeItem(atPath: fixture.state.subpath(name))
        }
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.progress.uploadedFiles == 0 && summary.conflicts.isEmpty)
        #expect(try await fixture.catalog() == before)
    }

    @Test("a status counts without reading, and does not consume the changes")
    func status() async throws {
        source.add("5", PhotoBytes.jpeg(5))
        for _ in 1...2 {
            let status = try await fixture.status(of: source)
            #expect([status.localFiles, status.backedUpFiles, status.waitingFiles].elementsEqual([5, 4, 1]))
        }
        #expect(source.reads.isEmpty)
        #expect(try await fixture.backUp(source).progress.uploadedFiles == 1)
        #expect(try await fixture.status(of: source).waitingFiles == 0)
    }
}
