import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// What an export contains, as other programs read it.
@Suite struct ExportArchiveTests {
    /// Prints the names of an archive, with the size, the time and the mode of each.
    private static let listing = """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as archive:
            assert archive.testzip() is None
            for info in archive.infolist():
                time = "%d-%02d-%02dT%02d:%02d:%02d" % info.date_time
                print(info.filename, info.file_size, time, oct(info.external_attr >> 16), sep="|")
        """

    @Test("an export has the photos at their paths, and those of the trash and unlisted ones in folders of their own")
    func names() async throws {
        let folder = try TemporaryFolder()
        let file = try await ExportFixture.sample().archive(in: folder)
        let read = try await ChildProcess.run(python, ["-c", Self.listing, file.path])
        #expect(read.status == 0, "\(read.output)")
        let lines = read.output.split(separator: "\n").map(String.init)
        let names = lines.map { $0.prefix { $0 != "|" } }.map(String.init)
        let expected: [String] = [
            "export.json", "index.html", "verify-export", "keys.json", "account/account.json",
            "account/audit-log.jsonl", "missing.json", "catalog.csv", "photos/2024/IMG_1.jpg",
            "photos/2024/IMG_1.jpg.json", "photos/2024/IMG_1.xmp", "photos/2024/Zürich \"a\".mov",
            "photos/2024/Zürich \"a\".mov.json",
            "renamed/4/back_slash_.jpg", "renamed/4/back_slash_.jpg.json",
            "photos/described.jpg",
            "photos/described.jpg.supplemental-metadata.json", "photos/empty.jpg", "photos/empty.jpg.json",
            "trash/gone.jpg", "trash/gone.jpg.json", "renamed/9/gone.jpg",
            "renamed/9/gone.jpg.json", "unlisted/\(unlistedDigest).dat", "manifest.json",
            "manifest.jws",
        ]
        #expect(names == expected)
        #expect(lines.contains("photos/2024/IMG_1.jpg|11|2024-04-24T23:06:40|0o100644"))
        #expect(lines.contains { $0.hasPrefix("verify-export|") && $0.hasSuffix("|0o100755") })
    }

    private var unlistedDigest: ContentDigest { ContentDigest(of: ByteBuffer(string: "never registered")) }
    @Test(
        "other programs read an export",
        arguments: [
            ["/usr/bin/unzip", "-tq"], ["/usr/bin/bsdtar", "-tf"], ["/usr/bin/python3", "-m", "zipfile", "-t"],
        ])
    func programs(_ command: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try await ExportFixture.sample().archive(in: folder)
        let program = URL(filePath: try #require(command.first))
        let read = try await ChildProcess.run(program, command.dropFirst() + [file.path])
        #expect(read.status == 0, "\(read.output)")
    }

    @Test("the catalog of an export is the library's")
    func catalog() async throws {
        let fixture = try await ExportFixture.sample()
        let plan = try await fixture.plan()
        let csv = try #require(plan.files.last)
        #expect(csv.path == "catalog.csv" && csv.bytes == CatalogCSV.encode(fixture.catalog))
    }

    @Test("no path of an archive is that of another file or of a folder")
    func paths() async throws {
        var fixture = try ExportFixture()
        let digest = ContentDigest(of: ByteBuffer(string: "1"))
        for (number, path) in ["a\\b.jpg", "a_b (\(digest)).jpg", "x.jpg", "x.jpg.json/y.jpg", "z\u{7f}.jpg"]
            .enumerated()
        {
            try await fixture.add(path, Data("\(number)".utf8))
        }
        for (number, path) in ["gone.jpg", "gone.jpg/inner.jpg", "t.jpg", "t.jpg.json/u.jpg"].enumerated() {
            try await fixture.add(path, Data("trash \(number)".utf8), isInTrash: true)
        }
        let items = try await fixture.plan().items
        let names = (0..<items.count).flatMap { [items[$0].name] + (items[$0].sidecar.map { [$0.path] } ?? []) }
        #expect(Set(names).count == names.count && items.count == 9)
        for name in names { #expect(!names.contains { $0.hasPrefix("\(name)/") }, "\(name)") }
    }

    @Test("photos that are archived in the store are left out and listed, unless they can be read")
    func archived() async throws {
        let fixture = try await ExportFixture.sample()
        let first = fixture.key(Data("first photo".utf8))
        let restored = fixture.key(Data("odd".utf8))
        let store = ArchivingStore(base: fixture.store, archived: [first, restored], unreadable: [first])
        let stored = try await StoreDifferences(
            of: fixture.catalog, in: store, user: fixture.user, leavesOutArchived: true)
        let plan = try fixture.plan(stored)
        #expect(plan.items.archivedCount == 1 && plan.items.missingCount == 0)
        let missing = try #require(plan.files.first { $0.path == "missing.json" })
        #expect(String(buffer: missing.bytes).contains("\"reason\" : \"archived\""))
        let again = try await ExportPlan(head: plan.head)
        #expect(again.size == plan.size && again.items.archivedCount == 1)
        let all = try await StoreDifferences(
            of: fixture.catalog, in: store, user: fixture.user, leavesOutArchived: false)
        #expect(try fixture.plan(all).items.archivedCount == 0)
    }

    @Test("a stored object that is no photo is named")
    func unknownName() async throws {
        let fixture = try await ExportFixture.sample()
        let key = ObjectKey(known: "\(StorageLayout.photos(fixture.user))holiday.jpg")
        _ = try await fixture.store.put(key, ByteBuffer(string: "x"), if: .always)
        let missing = try #require(try await fixture.plan().files.first { $0.path == "missing.json" })
        #expect(String(buffer: missing.bytes).contains("\"path\" : \"holiday.jpg\""))
    }

    @Test("a list of missing photos has a limit")
    func longPaths() async throws {
        var fixture = try ExportFixture()
        let name = Array(repeating: String(repeating: "\u{1}", count: 250), count: 16).joined(separator: "/")
        try fixture.list((0..<2800).map { ("\(name)/\($0)", Data("\($0)".utf8)) })
        await #expect(throws: ExportError.tooManyDifferences) { try await fixture.plan() }
    }
}

/// Python 3.
let python = URL(filePath: "/usr/bin/python3")
