import Foundation
import NIOCore
import NIOPosix
import PhotolalaTesting
import Testing

@testable import HTTPListener

/// The listener on a Unix domain socket, and what it does with the file that it finds.
@Suite struct SocketListenerTests {
    @Test("owner and group can connect while the listener runs, and nothing is left at its end")
    func life() async throws {
        let runner = try SocketRunner()
        try await runner.run {
            #expect(SocketRunner.mode(of: runner.path) == S_IFSOCK | 0o660)
            #expect(try FileManager.default.contentsOfDirectory(atPath: runner.folder.path) == ["operator.sock"])
            let client = SocketClient(runner.path)
            // Without an address, connections have no limit for each address.
            let answer = try await client.holdingConnection { try await client.get("/") }
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: runner.folder.path).isEmpty)
    }

    @Test("until the socket has its mode it is in a folder that only the owner can enter")
    func stage() async throws {
        let runner = try SocketRunner()
        let file = SocketFile(runner.path)
        try await file.serve {
            let listening = try await SocketRunner.listen(at: file.bindingPath)
            #expect(SocketRunner.mode(of: runner.folder.subpath(".s")) == S_IFDIR | 0o700)
            #expect(SocketRunner.mode(of: runner.path) == nil)
            #expect(await file.publish())
            #expect(SocketRunner.mode(of: runner.path) == S_IFSOCK | 0o660)
            try await listening.close()
        }
    }

    @Test("an unused socket is replaced, also one that a killed process left in its own folder")
    func stale() async throws {
        let runner = try SocketRunner()
        try await SocketRunner.leaveSocket(at: runner.path)
        let stage = runner.folder.subpath(".s")
        try FileManager.default.createDirectory(atPath: stage, withIntermediateDirectories: false)
        try await SocketRunner.leaveSocket(at: "\(stage)/operator.sock")
        try await runner.run {
            let answer = try await SocketClient(runner.path).get("/")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: runner.folder.path).isEmpty)
    }

    @Test("of several listeners that replace one unused socket at the same time, one runs", .timeLimit(.minutes(1)))
    func concurrent() async throws {
        let runner = try SocketRunner()
        try await SocketRunner.leaveSocket(at: runner.path)
        let (starts, outcomes) = AsyncStream.makeStream(of: Bool.self)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask {
                    do {
                        try await runner.run {
                            outcomes.yield(true)
                            await gate.wait()
                        }
                    } catch let error as ListenerError {
                        #expect(error.reason == .addressInUse)
                        outcomes.yield(false)
                    }
                }
            }
            let running = await starts.prefix(8).reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(running == 1)
            let answer = try await SocketClient(runner.path).get("/")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.open()
            try await tasks.waitForAll()
        }
    }

    @Test("a socket that another process takes over is not deleted at the listener's end")
    func takenOver() async throws {
        let runner = try SocketRunner()
        try await runner.run {
            #expect(unlink(runner.path) == 0)
            try await SocketRunner.leaveSocket(at: runner.path)
        }
        #expect(SocketRunner.mode(of: runner.path).map { $0 & S_IFMT } == S_IFSOCK)
    }
}
