import Foundation
import NIOCore
import Testing

@testable import PhotoLibrary

/// Unfinished files on file systems that give what is made on them to somebody else: NFS with squashed owners, a disk
/// that is mounted for another user.
@Suite(.enabled("only root makes files in another's name") { OtherOwner.isPossible })
struct PartialFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
    }

    private func open(_ name: String = "x.part") throws -> PartialFile {
        try PartialFile(in: try FolderHandle(folder.path), name: name)
    }

    private func owner(_ name: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: folder.place(name))[.ownerAccountID] as? NSNumber)?.intValue
    }

    @Test("A file that was just made is taken for ours, whoever it belongs to, and gets its name")
    func made() throws {
        try OtherOwner.make {
            let part = try open()
            try part.append(ByteBuffer(string: "photo"))
            try part.publish(as: "x.jpg", modified: nil)
        }
        #expect(try folder.files() == ["x.jpg"])
        #expect(try owner("x.jpg") == OtherOwner.id)
    }

    @Test("What was left there is gone on with, and the look at it leaves nothing behind")
    func goneOnWith() throws {
        try OtherOwner.make {
            let first = try open()
            try first.append(ByteBuffer(string: "pho"))
            first.keep()
            try Data().write(to: URL(filePath: folder.place("x.part.new")))
            let second = try open()
            #expect(second.foundLength == 3)
            second.keep()
        }
        #expect(try folder.files() == ["x.part"])
    }

    @Test("Elsewhere a file of another owner is out of the way and never written to")
    func stranger() throws {
        try OtherOwner.make {
            let planted = try open()
            try planted.append(ByteBuffer(string: "planted"))
            planted.keep()
        }
        let old = try FileHandle(forReadingFrom: URL(filePath: folder.place("x.part")))
        let part = try open()
        #expect(part.foundLength == 0)
        try part.append(ByteBuffer(string: "mine"))
        try part.publish(as: "x.jpg", modified: nil)
        #expect(try old.readToEnd() == Data("planted".utf8))
        #expect(try folder.read("x.jpg") == Array("mine".utf8))
        #expect(try owner("x.jpg") == 0)
    }
}

/// Makes files that belong to another user, as such file systems do.
private enum OtherOwner {
    static let id = 65_534

    /// Sets the user that the calling thread's files are made for (Linux).
    private static let setOwner = dlsym(nil, "setfsuid").map {
        unsafeBitCast($0, to: (@convention(c) (uid_t) -> CInt).self)
    }

    static var isPossible: Bool { geteuid() == 0 && setOwner != nil }

    /// Runs on a thread of its own: the owner is the thread's.
    static func make(_ work: @escaping () throws -> Void) throws {
        nonisolated(unsafe) let act = work
        nonisolated(unsafe) var result = Result<Void, any Error>.success(())
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = setOwner?(uid_t(id))
            result = Result { try act() }
            _ = setOwner?(0)
            done.signal()
        }
        done.wait()
        try result.get()
    }
}
