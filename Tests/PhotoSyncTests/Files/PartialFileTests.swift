import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// Partial files on file systems that assign new files to another owner: NFS with squashed owners, or a disk that is
/// mounted for another user.
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
        (try FileManager.default.attributesOfItem(atPath: folder.subpath(name))[.ownerAccountID] as? NSNumber)?.intValue
    }

    @Test("a new file is accepted regardless of its owner and is renamed to its final name")
    func made() throws {
        try OtherOwner.make {
            let part = try open()
            try part.append(ByteBuffer(string: "photo"))
            try part.publish(as: "x.jpg", modified: nil)
        }
        #expect(try folder.files() == ["x.jpg"])
        #expect(try owner("x.jpg") == OtherOwner.id)
    }

    @Test("a partial file is resumed, and the ownership check leaves no file behind")
    func goneOnWith() throws {
        try OtherOwner.make {
            let first = try open()
            try first.append(ByteBuffer(string: "pho"))
            first.preserve()
            try Data().write(to: URL(filePath: folder.subpath("x.part.new")))
            let second = try open()
            #expect(second.foundLength == 3)
            second.preserve()
        }
        #expect(try folder.files() == ["x.part"])
    }

    @Test("otherwise a file of another owner is replaced and never written to")
    func stranger() throws {
        try OtherOwner.make {
            let planted = try open()
            try planted.append(ByteBuffer(string: "planted"))
            planted.preserve()
        }
        let old = try FileHandle(forReadingFrom: URL(filePath: folder.subpath("x.part")))
        let part = try open()
        #expect(part.foundLength == 0)
        try part.append(ByteBuffer(string: "mine"))
        try part.publish(as: "x.jpg", modified: nil)
        #expect(try old.readToEnd() == Data("planted".utf8))
        #expect(try folder.read("x.jpg") == Array("mine".utf8))
        #expect(try owner("x.jpg") == 0)
    }
}

/// Creates files that belong to another user, as such file systems do.
private enum OtherOwner {
    static let id = 65_534

    /// Sets the user that owns files created by the calling thread (Linux).
    private static let setOwner = dlsym(nil, "setfsuid").map {
        unsafeBitCast($0, to: (@convention(c) (uid_t) -> CInt).self)
    }

    static var isPossible: Bool { geteuid() == 0 && setOwner != nil }

    /// Runs on a separate thread, because the owner is set per thread.
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
