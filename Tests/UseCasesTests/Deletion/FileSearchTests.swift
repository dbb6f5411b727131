import AccountMaintenance
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import ServiceWiring
import Testing

@testable import photolala_server

/// The search of names and contents of files, as `prove-absence` runs it.
@Suite struct FileSearchTests {
    private let user = UserID(uuid: UUID())

    /// Returns a folder with a store's folder `data`, which mentions the account, and with a folder outside of it.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let mention = Array("a line about \(user)".utf8)
        for name in ["data/photos/\(user)", "data/.incoming/\(user)"] { try folder.makeFolder(name) }
        // Photos may hold anything; their contents are not searched.
        for name in ["data/logs/nested/a.log", "data/photos/other/photo", "outside/moved.sqlite"] {
            try folder.write(name, mention)
        }
        try folder.write("data/logs/b.log", Array("nothing".utf8))
        return folder
    }

    /// Returns the places that are reported, relative to the folder, and the number of files read.
    private func places(
        in folder: TemporaryFolder, _ run: (inout FileSearch) throws -> Void
    ) rethrows -> (names: [String], files: Int, brokenLinks: [String]) {
        var names: [String] = []
        func collect(_ place: String, _ kinds: [SearchTerms.Kind]) {
            #expect(kinds == [.account])
            names.append(place.replacing(folder.path + "/", with: ""))
        }
        let (files, brokenLinks) = try withoutActuallyEscaping(collect) { report in
            var search = FileSearch(SearchTerms(AccountIdentifiers(user)), report: report)
            try run(&search)
            return (search.files, search.brokenLinks)
        }
        return (names.sorted(), files, brokenLinks)
    }

    @Test("names and contents are searched, also behind links, each file once; photos by their owner's name only")
    func data() throws {
        let folder = try makeFolder()
        for (link, target) in [
            ("data/photolala.sqlite", "../outside/moved.sqlite"), ("data/same.sqlite", "../outside/moved.sqlite"),
            ("data/outside", "../outside"), ("outside/back", "../data"), ("data/nowhere", "missing"),
        ] { try folder.link(link, to: target) }
        let found = try places(in: folder) { try $0.searchData(of: folder.subpath("data")) }
        let moved = found.names.filter { $0.hasSuffix(".sqlite") }
        #expect(moved.count == 1 && found.files == 3, "\(found)")
        #expect(found.brokenLinks == [folder.subpath("data/nowhere")])
        #expect(
            found.names.filter { !moved.contains($0) } == [
                "file data/logs/nested/a.log", "name of data/.incoming/\(user)", "name of data/photos/\(user)",
            ])
    }

    @Test("photos behind a link to nothing are reported as not searched")
    func unmounted() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("data/thumbnails")
        try folder.link("data/photos", to: "/unmounted-\(user)")
        let found = try places(in: folder) { try $0.searchData(of: folder.subpath("data")) }
        #expect(found.names.isEmpty)
        #expect(found.brokenLinks == [folder.subpath("data/photos")])
    }

    @Test("a given folder is searched with its own name, and a given file that does not exist is an error")
    func given() throws {
        let folder = try makeFolder()
        let found = try places(in: folder) { search in
            for name in ["data/.incoming/\(user)", "data/logs"] { try search.searchFile(folder.subpath(name)) }
            let error = #expect(throws: StartProblem.self) { try search.searchFile(folder.subpath("none")) }
            #expect(error?.description == "cannot read \(folder.path)/none: No such file or directory")
        }
        #expect(found.names == ["file data/logs/nested/a.log", "name of data/.incoming/\(user)"])
    }
}
