import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import PhotoSync

@Suite("The stored index of a source") struct AssetIndexTests {
    private let folder: TemporaryFolder
    private var path: String { folder.subpath("index") }

    init() throws { folder = try TemporaryFolder() }

    private func index(_ names: [String], token: [UInt8]?, modified: Int64 = 1) throws -> AssetIndex {
        var index = AssetIndex()
        for name in names {
            let item = AssetIndex.Item(
                asset: "\(name)\tid\n", resource: "1", modified: Timestamp(seconds: modified, nanoseconds: 5))
            #expect(index.add(try #require(LibraryPath(name)), item))
        }
        index.token = token
        return index
    }

    @Test("it is read as it was stored, with its token")
    func stored() throws {
        let first = try index(["a\tb.jpg", "c.jpg", "d.jpg"], token: [0, 255])
        var second = try index(["c.jpg", "e.jpg"], token: nil, modified: 2)
        let (gone, md5) = (try #require(LibraryPath("a\tb.jpg")), ContentDigest(of: ByteBuffer(string: "a")))
        second.missing = [gone: MissingResource(asset: "\ta", md5: md5, isRemoved: true, trashed: 7)]
        second.marks[.favorite] = [
            "\ta": AssetMark(isSet: true, synced: "0123"), "b": .init(isSet: false, synced: ""),
        ]
        second.marks[.hidden] = ["b": AssetMark(isSet: true, synced: "4567")]
        var file = AssetIndexFile(path, isReadOnly: false)
        for next in [first, second, first] {
            file = file.updated(to: next)
            let read = AssetIndexFile(path, isReadOnly: true).index
            #expect(read.items == next.items && read.paths == next.paths && read.token == next.token)
            #expect(read.missing == next.missing)
            for kind in AssetMark.Kind.allCases { #expect(read.marks[kind] ?? [:] == next.marks[kind] ?? [:]) }
        }
    }

    @Test("the token is the last row, and a state without changes stores nothing")
    func order() throws {
        let next = try index(["a.jpg"], token: [1])
        #expect(next.rows.last == .token([1]) && next.rows.count == 2)
        #expect(next.rows(since: next).isEmpty)
    }

    @Test("while one backup has it open, another one stores nothing")
    func locked() throws {
        let first = AssetIndexFile(path, isReadOnly: false)
        _ = AssetIndexFile(path, isReadOnly: false).updated(to: try index(["other.jpg"], token: [2]))
        let written = first.updated(to: try index(["a.jpg"], token: [1]))
        let read = AssetIndexFile(path, isReadOnly: true).index
        #expect(read.items == written.index.items && read.token == [1])
    }

    @Test("it is rewritten when most of its rows are obsolete")
    func compacted() throws {
        var file = AssetIndexFile(path, isReadOnly: false)
        for round in 1...600 { file = file.updated(to: try index(["a.jpg"], token: [1], modified: Int64(round))) }
        #expect(try folder.read("index").count { $0 == UInt8(ascii: "\n") } < 1_100)
        #expect(AssetIndexFile(path, isReadOnly: true).index.items.values.first?.modified.seconds == 600)
    }
}
