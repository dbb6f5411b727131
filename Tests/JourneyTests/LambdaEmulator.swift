import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Transport

/// One execution environment of `photolala-lambda` in AWS's runtime interface emulator.
final class LambdaEnvironment: Sendable {
    /// An error that a function reported.
    struct FunctionError: Error, Decodable {
        let errorType: String
        let errorMessage: String
        let problem: Problem?
    }

    private let address: String
    private let process: ChildProcess
    private let transport: any HTTPTransport
    /// What the environment and the emulator log.
    let log: URL

    /// The emulator, installed by `scripts/install-lambda-emulator`.
    static let emulator = Repository.root.appending(path: ".venv/lambda-emulator/aws-lambda-rie")
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: emulator.path) }

    /// `PHOTOLALA_LAMBDA_PROGRAM` tests another program, such as the one of `scripts/build-lambda`.
    private static func program() throws -> URL {
        let other = ProcessInfo.processInfo.environment["PHOTOLALA_LAMBDA_PROGRAM"]
        return try other.map { URL(filePath: $0) } ?? Products.executable("photolala-lambda")
    }

    /// Starts the emulator. It starts the environment with the first invocation.
    /// - Parameters:
    ///   - handler: The function.
    ///   - folder: For the log.
    ///   - publicURL: A server on the same bucket, whose development provider the function asks for its keys.
    init(
        _ handler: String, on engine: SeaweedFS, in folder: URL, publicURL: String,
        variables: [String: String] = [:]
    ) async throws {
        let (port, runtimePort) = (try freePort(), try freePort())
        address = "http://127.0.0.1:\(port)/2015-03-31/functions/function/invocations"
        transport = engine.transport
        log = folder.appending(path: "\(handler)-\(port).log")
        let own = [
            "PHOTOLALA_ENVIRONMENT": "dev", "PHOTOLALA_PUBLIC_URL": publicURL, "PHOTOLALA_LOG_FORMAT": "json",
            "AWS_LAMBDA_FUNCTION_TIMEOUT": "60", "PATH": "/usr/bin:/bin", "HOME": folder.path,
        ]
        process = try ChildProcess(
            Self.emulator,
            [
                "--runtime-interface-emulator-address", "127.0.0.1:\(port)", "--runtime-api-address",
                "127.0.0.1:\(runtimePort)", Self.program().path, handler,
            ], environment: engine.serverVariables.merging(own) { $1 }.merging(variables) { $1 },
            output: .file(log), errors: .file(log))
        try await waitUntil("the emulator listens") {
            guard process.isRunning else { throw ConformanceFailure("the emulator ended: \(try text())") }
            let request = TransportRequest(method: .get, url: "http://127.0.0.1:\(port)/")
            guard let response = try? await transport.send(request) else { return false }
            _ = try? await response.collect(limit: 1 << 16)
            return true
        }
    }

    /// Invokes the function and returns its answer.
    /// - Throws: `FunctionError`.
    func invoke(_ event: String) async throws -> Data {
        let data = try await answer(event)
        if let error = try? WireJSON.decoder().decode(FunctionError.self, from: data) { throw error }
        return data
    }

    /// Invokes the function and returns what it reports, also an error.
    func answer(_ event: String) async throws -> Data {
        let request = TransportRequest(
            method: .post, url: address, headers: [.contentType: "application/json"],
            body: .bytes(ByteBuffer(string: event)), timeout: .seconds(90))
        let response = try await transport.send(request)
        return Data(try await response.collect(limit: 16 << 20).readableBytesView)
    }

    /// Invokes the function with an event and decodes its answer.
    func invoke<Answer: Decodable>(_ event: some Encodable, as type: Answer.Type = Answer.self) async throws -> Answer {
        let text = String(decoding: try WireJSON.encoder().encode(event), as: UTF8.self)
        return try WireJSON.decoder().decode(type, from: try await invoke(text))
    }

    /// The process of the environment.
    private func environmentProcess() throws -> pid_t {
        let children = try String(
            contentsOfFile: "/proc/\(process.identifier)/task/\(process.identifier)/children", encoding: .utf8)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.identifier)/task")
        let all = try tasks.reduce(into: children) { all, task in
            all += try String(contentsOfFile: "/proc/\(process.identifier)/task/\(task)/children", encoding: .utf8)
        }
        guard let child = all.split(separator: " ").compactMap({ pid_t($0) }).first else {
            throw ConformanceFailure("the emulator has no environment")
        }
        return child
    }

    /// Sends the environment a signal: `SIGSTOP` freezes it, `SIGCONT` thaws it, `SIGKILL` ends it.
    func signalEnvironment(_ signal: Int32) throws { kill(try environmentProcess(), signal) }

    func text() throws -> String { String(decoding: try Data(contentsOf: log), as: UTF8.self) }

    /// Ends the emulator, which ends the environment.
    @discardableResult
    func stop() async -> Int32 {
        process.send(SIGTERM)
        return await process.exit()
    }
}

/// Calls the API of a function: each request becomes an event of a function URL.
struct FunctionURL: HTTPTransport {
    /// Environments, each of which handles one request at a time, as AWS starts as many as are needed.
    let pool: EnvironmentPool
    let publicURL: String
    /// For all other requests: to the store, and to the development provider of a server.
    let other: any HTTPTransport

    private struct Answer: Decodable {
        let statusCode: Int
        let headers: [String: String]
        let body: String
        let isBase64Encoded: Bool
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.hasPrefix("\(publicURL)/"), !request.url.hasPrefix("\(publicURL)/dev/") else {
            return try await other.send(request)
        }
        do {
            let event = try event(request)
            let data = try await pool.withEnvironment { try await $0.invoke(event) }
            let answer = try WireJSON.decoder().decode(Answer.self, from: data)
            let body = answer.isBase64Encoded ? Data(base64Encoded: answer.body) ?? Data() : Data(answer.body.utf8)
            var headers = HTTPFields()
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            return TransportResponse(
                status: answer.statusCode, headers: headers,
                body: AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                    continuation.yield(ByteBuffer(bytes: body))
                    continuation.finish()
                })
        } catch {
            throw .connectionLost("\(error)")
        }
    }

    private func event(_ request: TransportRequest) throws -> String {
        let target = String(request.url.dropFirst(publicURL.count))
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var headers = ["host": "127.0.0.1"]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        var event: [String: Any] = [
            "version": "2.0", "rawPath": String(parts[0]), "rawQueryString": parts.count > 1 ? String(parts[1]) : "",
            "headers": headers,
            "requestContext": [
                "http": ["method": request.method.rawValue, "path": String(parts[0]), "sourceIp": "203.0.113.7"],
                "domainName": "127.0.0.1", "stage": "$default",
            ] as [String: Any], "isBase64Encoded": true,
        ]
        if case .bytes(let bytes) = request.body {
            event["body"] = Data(bytes.readableBytesView).base64EncodedString()
        }
        return String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
    }
}

/// Environments of one function. A call waits until one is free.
actor EnvironmentPool {
    private var free: [LambdaEnvironment]
    private var waiting: [CheckedContinuation<LambdaEnvironment, Never>] = []

    init(_ environments: [LambdaEnvironment]) { free = environments }

    func withEnvironment<Value: Sendable>(
        _ act: @Sendable (LambdaEnvironment) async throws -> Value
    ) async throws -> Value {
        let environment = await acquire()
        do {
            let value = try await act(environment)
            release(environment)
            return value
        } catch {
            release(environment)
            throw error
        }
    }

    private func acquire() async -> LambdaEnvironment {
        if let environment = free.popLast() { return environment }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func release(_ environment: LambdaEnvironment) {
        if waiting.isEmpty { free.append(environment) } else { waiting.removeFirst().resume(returning: environment) }
    }
}
