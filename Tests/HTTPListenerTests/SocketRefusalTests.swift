import Foundation
import NIOCore
import NIOPosix
import PhotolalaTesting
import Testing

@testable import HTTPListener

/// Files at a socket's path that a listener does not replace.
@Suite struct SocketRefusalTests {
    @Test("a socket on which another process listens stays, also if its queue is full", arguments: [true, false])
    func busy(accepts: Bool) async throws {
        let runner = try SocketRunner()
        let other = try await SocketRunner.listen(at: runner.path, accepting: accepts)
        var waiting: [any Channel] = []
        while !accepts, let connection = try? await connect(runner.path) { waiting.append(connection) }
        let error = try #require(try await runner.refusal())
        #expect(error.reason == .addressInUse)
        #expect(
            "\(error)" == "unix:\(runner.path) is already in use. Choose another address with operator.listen")
        if accepts { try await connect(runner.path).close() }
        #expect(SocketRunner.mode(of: runner.path).map { $0 & S_IFMT } == S_IFSOCK)
        for connection in waiting { try await connection.close() }
        try await other.close()
    }

    private func connect(_ path: String) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(unixDomainSocketPath: path)
            .get()
    }

    @Test("a file of another kind stays", arguments: ["file", "folder", "link", "broken link"])
    func otherFile(kind: String) async throws {
        let runner = try SocketRunner()
        switch kind {
        case "file": try runner.folder.write("operator.sock", [1, 2])
        case "folder": try runner.folder.makeFolder("operator.sock")
        case "link":
            try await SocketRunner.leaveSocket(at: runner.folder.subpath("other.sock"))
            try runner.folder.link("operator.sock", to: "other.sock")
        default: try runner.folder.link("operator.sock", to: "missing")
        }
        let before = SocketRunner.mode(of: runner.path)
        let error = try #require(try await runner.refusal())
        #expect(error.reason == .notSocket)
        #expect("\(error)".hasPrefix("unix:\(runner.path) is a file that is not a socket, and is not replaced. "))
        #expect(SocketRunner.mode(of: runner.path) == before && before != nil)
        if kind == "file" { #expect(try runner.folder.read("operator.sock") == [1, 2]) }
        #expect(SocketRunner.mode(of: runner.folder.subpath(".s")) == nil)
    }

    @Test("a missing folder, and a file in the place of one, are reported", arguments: ["none", "file"])
    func missingFolder(name: String) async throws {
        let runner = try SocketRunner()
        try runner.folder.write("file", [])
        let error = try #require(try await runner.refusal(at: runner.folder.subpath("\(name)/operator.sock")))
        #expect(error.reason == .missingFolder)
        #expect("\(error)".hasPrefix("the folder of unix:\(runner.folder.path)/\(name)/operator.sock does not exist. "))
    }

    @Test("a folder with the name of the listener's own stays with its files")
    func foreignStage() async throws {
        let runner = try SocketRunner()
        try runner.folder.write(".s/file", [1])
        let error = try #require(try await runner.refusal())
        #expect(error.reason == .system(EEXIST))
        #expect(try runner.folder.files() == [".s/file"])
    }
}
