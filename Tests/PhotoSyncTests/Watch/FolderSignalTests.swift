import PhotolalaTesting
import Testing

@testable import PhotoSync

@Suite struct FolderSignalTests {
    @Test(
        "changes of photos are signaled, those of the library's own files are not",
        arguments: [
            ("/photos/a.jpg", "/photos", true), ("/photos/2024/a.jpg", "/photos", true), ("/photos", "/photos", true),
            ("/photos/.photolala.mark", "/photos", false), ("/photos/2024/.photolala.part", "/photos", false),
            ("/photos/.photolala/a.jpg", "/photos", false), ("/a.jpg", "/", true), ("/.photolala.mark", "/", false),
            ("/.photolala.disk/photos/a.jpg", "/.photolala.disk/photos", true), ("/elsewhere", "/photos", true),
        ])
    func relevance(path: String, root: String, isSignaled: Bool) {
        #expect(FolderSignal.isCaused(byChangeOf: path.utf8, in: root) == isSignaled)
    }

    @Test("a folder is current until another one is at its path")
    func identity() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("a")
        try folder.makeFolder("b")
        try folder.link("link", to: folder.subpath("a"))
        let identity = try FolderIdentity(folder.subpath("a"))
        #expect(identity.isCurrent(folder.subpath("a")) && identity.isCurrent(folder.subpath("link")))
        #expect(!identity.isCurrent(folder.subpath("b")) && !identity.isCurrent(folder.subpath("c")))
    }
}
