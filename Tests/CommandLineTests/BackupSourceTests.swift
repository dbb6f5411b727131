import ArgumentParser
import Foundation
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import photolala

@Suite("Sources of a backup") struct BackupSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("files are grouped by their folder, and folders and missing paths stay as they are")
    func sources() throws {
        for name in ["in/a.jpg", "in/b.jpg", "c.jpg"] { try folder.write(name, [1]) }
        let (inner, gone) = (folder.subpath("in"), folder.subpath("gone"))
        #expect(
            BackupSource.sources(of: ["\(inner)/a.jpg", inner, folder.subpath("c.jpg"), "\(inner)/b.jpg", gone])
                == [
                    BackupSource(folder: inner, files: ["a.jpg", "b.jpg"]), BackupSource(folder: inner),
                    BackupSource(folder: folder.path, files: ["c.jpg"]), BackupSource(folder: gone),
                ])
    }

    @Test("a path that the backup of another one includes is left out; what is ignored there or behind a link is not")
    func repetitions() throws {
        for name in ["pics/2023/a.jpg", "pics/raw/b.jpg", "pics/c.jpg", "pics2/d.jpg"] { try folder.write(name, [1]) }
        try folder.write("pics/.photolalaignore", Array("raw/\n".utf8))
        try folder.link("pics/linked", to: folder.subpath("pics2"))
        let (pics, inner) = (folder.subpath("pics"), folder.subpath("pics/2023"))
        let others = ["pics/raw", "pics/linked", "pics2", "gone"].map(folder.subpath)
        let given = [inner, pics, folder.subpath("pics/c.jpg"), "\(pics)/"] + others
        let (paths, repetitions) = BackupSource.distinct(given, patterns: FolderPatterns())
        #expect(paths == [pics, others[0], others[1], others[3]])
        #expect(repetitions.map(\.path) == [inner, given[2], given[3], others[2]])
        #expect(repetitions.first?.notice == "\(inner) is backed up as a part of \(pics).")
        let ignored = [pics, folder.subpath("pics/raw/b.jpg")]
        #expect(BackupSource.distinct(ignored, patterns: FolderPatterns()).paths == ignored)
        let excluding = try FolderPatterns(excluding: ["2023/"])
        #expect(BackupSource.distinct([pics, inner], patterns: excluding).paths == [pics, inner])
        #expect(BackupSource.distinct([pics, pics], patterns: excluding).paths == [pics])
    }

    @Test("a folder in a synced folder is named with its place; the synced folder itself and others are not")
    func synced() throws {
        try folder.write("pics/.photolala-folder", Array(repeating: 0x61, count: 32))
        try folder.write("pics/2023/Rome/a.jpg", [1])
        try folder.write("other/a.jpg", [1])
        let notice = BackupSource(folder: folder.subpath("pics/2023/Rome")).syncedFolderNotice
        #expect(notice?.hasSuffix("--into 2023/Rome") == true && notice?.contains("synced folder") == true)
        #expect(BackupSource(folder: folder.subpath("pics")).syncedFolderNotice == nil)
        #expect(BackupSource(folder: folder.subpath("other")).syncedFolderNotice == nil)
    }

    @Test("a list has one path per line or NUL byte, with or without the folder")
    func list() throws {
        var unusable: [UnusableFolder] = []
        try folder.write("lines", Array("./a.jpg\n\n\(folder.path)/in//b c.jpg\nd.jpg".utf8))
        try folder.write("zeros", Array("e\nf.jpg\0".utf8) + [0xe9] + Array(".jpg\0".utf8))
        let lines = try FileListOptions.parse(["--files-from", folder.subpath("lines")])
        #expect(try lines.paths(in: folder.path, unusable: &unusable) == ["a.jpg", "in/b c.jpg", "d.jpg"])
        let zeros = try FileListOptions.parse(["--files-from", folder.subpath("zeros"), "--null"])
        #expect(try zeros.paths(in: "photos", unusable: &unusable) == ["e\nf.jpg", "%%%E9.jpg"])
        #expect(try FileListOptions.parse([]).paths(in: "photos", unusable: &unusable) == nil)
        #expect(throws: (any Error).self) { try FileListOptions.parse(["--null"]) }
        #expect(throws: CommandFailure.self, "an absolute path outside of the folder") {
            try lines.paths(in: folder.subpath("out"), unusable: &unusable)
        }
        try folder.write("photos/a.jpg", [1])
        try folder.link("link", to: folder.subpath("photos"))
        try folder.write("lines", Array("\(folder.subpath("photos"))/a.jpg".utf8))
        for spelling in ["link", "photos"] {
            let paths = try lines.paths(in: folder.subpath(spelling), unusable: &unusable)
            #expect(paths == ["a.jpg"])
        }
        let missing = try FileListOptions.parse(["--files-from", folder.subpath("gone")])
        #expect(throws: CommandFailure.self) { try missing.paths(in: "photos", unusable: &unusable) }
        #expect(unusable.isEmpty)
        try folder.write("lines", Array(".\n%%x%E9.jpg\na.jpg\n".utf8))
        let rest = try lines.paths(in: "photos", unusable: &unusable)
        #expect(rest == ["a.jpg"] && unusable.map(\.folder) == ["%%x%E9.jpg"])
    }

    @Test("a destination is a path of the library")
    func destination() throws {
        #expect(try DestinationOptions.parse(["--into", "Phones/Bob//"]).destination("DCIM") == "Phones/Bob/DCIM")
        #expect(try DestinationOptions.parse([]).destination("DCIM") == "DCIM")
        #expect(try DestinationOptions.parse([]).destination() == nil)
        for text in ["", "/", "/a", "a//b", "a/../b", ".photolala", "."] {
            #expect(throws: (any Error).self, "\(text)") { try DestinationOptions.parse(["--into", text]) }
        }
    }

    @Test("patterns of the command line override those of a file")
    func patterns() throws {
        try folder.write("patterns", Array("# scans\n*.tif\n".utf8))
        let options = try PatternOptions.parse(
            ["--exclude-from", folder.subpath("patterns"), "--exclude", "!keep.tif", "--include", "2024/"])
        #expect(
            try options.patterns() == FolderPatterns(excluding: ["*.tif", "!keep.tif"], including: ["2024/"]))
        try folder.write("patterns", Array("*.tif\n[a\n".utf8))
        let error = #expect(throws: CommandFailure.self) { try options.patterns() }
        #expect(error?.error.detail.hasSuffix("Line 2 is not a valid pattern.") == true)
        for pattern in ["", "# a", "a\nb", "[a"] {
            #expect(throws: (any Error).self, "\(pattern)") { try PatternOptions.parse(["--exclude", pattern]) }
        }
    }

    @Test("paths that are not UTF-8 are encoded, other arguments refused")
    func arguments() throws {
        let (latin, utf8) = (Array("a/caf".utf8) + [0xe9], { (text: String) in Array(text.utf8) })
        let texts = try ProgramArguments.texts(
            of: [utf8("photolala"), utf8("backup"), utf8("--into"), latin, utf8("é")])
        #expect(texts == ["backup", "--into", "a/%%caf%E9", "é"])
        let plain = try ProgramArguments.texts(of: [[0xe9], utf8("list"), utf8("é")])
        #expect(plain == nil)
        let refused = [
            [utf8("list"), latin], [utf8("backup"), utf8("--profile-dir"), latin],
            [utf8("sync"), utf8("--into=") + latin],
        ]
        for arguments in refused {
            #expect(throws: ValidationError.self) { try ProgramArguments.texts(of: [utf8("photolala")] + arguments) }
        }
    }
}
