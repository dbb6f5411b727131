import Foundation
import PhotolalaTesting
import Testing
import Transport

/// Reading files whose names come from arguments, settings and the environment.
@Suite struct NamedFileTests {
    private func read(
        _ path: String, as kind: NamedFile.Kind, limit: Int = 100
    ) throws(NamedFile.Problem) -> String {
        String(decoding: try NamedFile.bytes(of: path, as: kind, limit: limit, patience: 0), as: UTF8.self)
    }

    private func makePipe(in folder: TemporaryFolder) throws -> String {
        let path = folder.subpath("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func `a file is read to its end, or to one byte behind the limit`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", Array("12345".utf8))
        for kind in [NamedFile.Kind.regular, .stream] {
            #expect(try read(folder.subpath("a"), as: kind) == "12345")
            #expect(try read(folder.subpath("a"), as: kind, limit: 3) == "1234")
        }
    }

    @Test func `a folder, a missing file and what must be regular and is not are errors`() throws {
        let folder = try TemporaryFolder()
        let pipe = try makePipe(in: folder)
        for kind in [NamedFile.Kind.regular, .stream] {
            #expect(throws: NamedFile.Problem.system(EISDIR)) { try read(folder.path, as: kind) }
            #expect(throws: NamedFile.Problem.system(ENOENT)) { try read(folder.subpath("b"), as: kind) }
        }
        for path in [pipe, "/dev/null"] {
            #expect(throws: NamedFile.Problem.notRegular) { try read(path, as: .regular) }
        }
    }

    @Test func `a pipe without a writer is an error, and one with a writer is read to its end`() async throws {
        let folder = try TemporaryFolder()
        let pipe = try makePipe(in: folder)
        #expect(throws: NamedFile.Problem.notWritten) { try read(pipe, as: .stream) }
        let writer = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", "exec 3> '\(pipe)'; printf 12 >&3; printf 34 >&3"])
        let bytes = try NamedFile.bytes(of: pipe, as: .stream, limit: 100)
        #expect(String(decoding: bytes, as: UTF8.self) == "1234")
        #expect(await writer.exit() == 0)
    }

    @Test func `a descriptor that a shell names is read, also after its writer has ended`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("12".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try read("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)", as: .stream) == "12")
    }

    @Test func `a cancelled task stops waiting`() async throws {
        let folder = try TemporaryFolder()
        let pipe = try makePipe(in: folder)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try NamedFile.bytes(of: pipe, as: .stream, limit: 1, patience: .max)
        }
        await #expect(throws: NamedFile.Problem.cancelled) { try await task.value }
    }
}
