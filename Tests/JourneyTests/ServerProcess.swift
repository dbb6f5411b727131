import Foundation
import HTTPTypes
import PhotolalaTesting
import Transport

/// A separate `photolala-server` process as an operator runs it, on loopback and on a store provided by the test.
final class ServerProcess: Sendable {
    let address: String
    /// The address of the store for clients.
    let storageAddress: String
    private let ports: (api: Int, storage: Int)
    private let process: ChildProcess

    /// Starts the server on a folder and waits until it is ready.
    /// - Parameters:
    ///   - publicURL: the address that instances on one store share; the server's own by default.
    ///   - onPortsOf: a server that has ended, whose clients must reach this one.
    ///   - variables: additional settings.
    ///   - logs: the files for standard output and standard error.
    convenience init(
        data: URL, transport: any HTTPTransport, publicURL: String? = nil, onPortsOf earlier: ServerProcess? = nil,
        variables: [String: String] = [:], logs: (output: URL, errors: URL)? = nil
    ) async throws {
        let all = ["HOME": data.path].merging(variables) { _, new in new }
        try await self.init(["--data", data.path], all, transport, publicURL, earlier, logs)
    }

    /// Starts the server on a bucket and waits until it is ready.
    convenience init(
        on engine: SeaweedFS, transport: any HTTPTransport, publicURL: String? = nil,
        onPortsOf earlier: ServerProcess? = nil, variables: [String: String] = [:]
    ) async throws {
        let all = engine.serverVariables.merging(variables) { _, new in new }
        try await self.init([], all, transport, publicURL, earlier)
    }

    /// Starts the server on a bucket of another engine and waits until it is ready.
    convenience init(bucket variables: [String: String], transport: any HTTPTransport) async throws {
        try await self.init([], variables, transport, nil, nil)
    }

    private init(
        _ arguments: [String], _ variables: [String: String], _ transport: any HTTPTransport, _ publicURL: String?,
        _ earlier: ServerProcess?, _ logs: (output: URL, errors: URL)? = nil
    ) async throws {
        if let earlier { ports = earlier.ports } else { ports = (try freePort(), try freePort()) }
        let (port, storagePort) = ports
        address = "http://127.0.0.1:\(port)"
        let bucket = variables["PHOTOLALA_S3_ENDPOINT"]
        storageAddress = bucket ?? "http://127.0.0.1:\(storagePort)"
        let words =
            ["serve", "--environment", "dev", "--listen", "127.0.0.1:\(port)"] + arguments
            + (bucket == nil ? ["--s3-listen", "127.0.0.1:\(storagePort)"] : [])
        // With info, the test's output contains every request and its duration.
        let level = ProcessInfo.processInfo.environment["PHOTOLALA_LOG_LEVEL"] ?? "error"
        let own = ["PHOTOLALA_PUBLIC_URL": publicURL ?? address, "PHOTOLALA_LOG_LEVEL": level]
        process = try ChildProcess(
            Products.executable("photolala-server"), words, environment: own.merging(variables) { _, new in new },
            output: logs.map { .file($0.output) } ?? .discarded, errors: logs.map { .file($0.errors) } ?? .inherited)
        try await waitUntilReady(transport)
    }

    /// Waits until the server reports that it is ready, and kills it if it does not.
    private func waitUntilReady(_ transport: any HTTPTransport) async throws {
        do {
            try await waitUntil("the server is ready") {
                guard process.isRunning else { throw ConformanceFailure("the server ended at its start") }
                let request = TransportRequest(method: .get, url: "\(address)/health/ready", timeout: .seconds(5))
                guard let response = try? await transport.send(request) else { return false }
                _ = try? await response.collect(limit: 1 << 16)
                return response.status == 200
            }
        } catch {
            kill()
            throw error
        }
    }

    /// Kills the process like a power failure.
    func kill() { process.kill() }

    /// Sends the process a signal.
    func send(_ signal: Int32) { process.send(signal) }

    /// Asks the process to end and returns its exit status.
    func stop() -> Int32 {
        process.send(SIGTERM)
        return process.waitUntilExit()
    }
}

extension SeaweedFS {
    /// The settings of a server on this engine, with the service's keys.
    var serverVariables: [String: String] {
        [
            "PHOTOLALA_STORE": "s3", "PHOTOLALA_S3_ENDPOINT": endpoint, "PHOTOLALA_S3_BUCKET": bucket,
            "PHOTOLALA_S3_ACCESS_KEY_ID": service.accessKeyID,
            "PHOTOLALA_S3_SECRET_ACCESS_KEY": service.secretAccessKey, "PHOTOLALA_STS_ROLE_ARN": role,
            "PHOTOLALA_KEYS_MASTER": "k1:\(Data(repeating: 7, count: 32).base64EncodedString())",
        ]
    }
}
