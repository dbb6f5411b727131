import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoSync

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A process that is being started has a copy of every descriptor until it runs its program.
struct InheritedLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns a copy of the descriptor that is open for a file.
    private func copiedDescriptor(of path: String) throws -> CInt {
        var named = stat()
        try #require(stat(path, &named) == 0)
        let descriptor = try #require(
            (0..<CInt(getdtablesize())).first { descriptor in
                var opened = stat()
                return fstat(descriptor, &opened) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
            })
        return try #require([dup(descriptor)].first { $0 >= 0 })
    }

    @Test("a journal that was closed can be locked while another process has a copy of its descriptor")
    func journal() throws {
        let path = folder.subpath("a.journal")
        var file: JournalFile? = try JournalFile(path)
        let copy = try copiedDescriptor(of: path)
        defer { close(copy) }
        #expect(throws: FileError.exists) { _ = try JournalFile(path) }
        file = nil
        #expect(file == nil)
        _ = try JournalFile(path)
    }

    @Test("a file that was closed can be locked while another process has a copy of its descriptor")
    func openFile() throws {
        try folder.write("a.jpg", [1])
        let path = folder.subpath("a.jpg")
        var file: OpenFile? = try OpenFile(path)
        #expect(try file?.lockAgainstRemoval() == true)
        let copy = try copiedDescriptor(of: path)
        defer { close(copy) }
        let other = try OpenFile(path)
        #expect(flock(other.descriptor, LOCK_EX | LOCK_NB) != 0)
        file = nil
        #expect(flock(other.descriptor, LOCK_EX | LOCK_NB) == 0)
    }
}
