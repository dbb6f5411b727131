import Foundation
import PhotolalaTesting

/// A `store-hammer` process, whose executable is beside the tests.
final class Hammer {
    private let process: ChildProcess
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: String...) throws {
        let products = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0])
        var folder = products.deletingLastPathComponent()
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        process = try ChildProcess(
            folder.appendingPathComponent("store-hammer"), arguments, input: input, output: .pipe(output))
    }

    /// Waits for the next line of output; returns `nil` when the process has ended.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Returns the remaining complete lines of output and waits for the process to end.
    func rest() throws -> [String] {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

    /// Kills the process, as in a crash.
    func kill() { process.send(SIGKILL) }
}
