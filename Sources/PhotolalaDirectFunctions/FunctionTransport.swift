import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaClient
import Transport

/// Sends the API calls that a direct function answers as invocations, and all other requests unchanged.
struct FunctionTransport: HTTPTransport {
    private let functions: DirectFunctions
    private let server: String
    private let serverTransport: any HTTPTransport
    private let lambda: any HTTPTransport
    private let now: @Sendable () -> Date

    /// The largest answer of a function, in bytes.
    private static let answerLimit = 1 << 20

    init(
        _ functions: DirectFunctions, server: ServerAddress, serverTransport: any HTTPTransport,
        lambda: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        (self.functions, self.server, self.now) = (functions, server.description, now)
        (self.serverTransport, self.lambda) = (serverTransport, lambda)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let call = DirectCall(request, server: server) else { return try await serverTransport.send(request) }
        let name = call.function.name(in: functions.environment)
        let invoker = try invoker()
        let answer: FunctionAnswer
        do throws(FunctionInvoker.Failure) {
            answer = try await invoker.invoke(
                name, event: call.event, timeout: request.timeout, limit: Self.answerLimit)
        } catch {
            switch error {
            case .transport(.notSent):
                return try Self.problem(503, .temporarilyUnavailable, "Cannot connect to AWS Lambda.")
            case .transport(let error): throw error
            case .rejected(let code):
                return try Self.problem(
                    403, .embeddedCredentialsRejected,
                    "AWS rejected the invocation of \(name): \(code). Check the device's clock, and update the app.")
            case .throttled(let retryAfter):
                return try Self.problem(
                    429, .rateLimited, "Too many invocations of \(name).", retryAfter: retryAfter)
            case .unavailable(let code):
                return try Self.problem(503, .temporarilyUnavailable, "AWS cannot invoke \(name) now: \(code).")
            }
        }
        switch answer {
        case .value(let bytes): return Self.response(200, "application/json", bytes)
        case .error(let bytes): return try Self.failure(bytes)
        }
    }

    /// Opens the credentials for one invocation only.
    private func invoker() throws(TransportError) -> FunctionInvoker {
        do {
            let invoker = try functions.credentials.open(functions.environment)
            return FunctionInvoker(
                keys: invoker.keys, region: invoker.region, endpoint: functions.endpoint, transport: lambda, now: now)
        } catch {
            throw .notSent(error.detail)
        }
    }

    /// Returns the API's error response for a function error. Without a problem document it is one of Lambda's own, such
    /// as a timeout, after which the function may have acted.
    private static func failure(_ bytes: ByteBuffer) throws(TransportError) -> TransportResponse {
        struct FunctionError: Decodable {
            let errorType: String?
            let problem: Problem?
            let retryAfter: Int?
        }
        let error = try? WireJSON.decoder().decode(FunctionError.self, from: Data(bytes.readableBytesView))
        guard let problem = error?.problem else {
            throw .connectionLost(error?.errorType ?? "unknown function error")
        }
        return try response(problem, retryAfter: error?.retryAfter)
    }

    private static func problem(
        _ status: Int, _ code: ErrorCode, _ detail: String, retryAfter: Int? = nil
    ) throws(TransportError) -> TransportResponse {
        let problem = Problem(title: detail, status: status, detail: detail, code: code, requestID: "")
        return try response(problem, retryAfter: retryAfter)
    }

    private static func response(
        _ problem: Problem, retryAfter: Int?
    ) throws(TransportError) -> TransportResponse {
        guard let bytes = try? WireJSON.encoder().encode(problem) else { throw .connectionLost("malformed problem") }
        let more: HTTPFields = retryAfter.map { [.retryAfter: String($0)] } ?? [:]
        return response(problem.status, "application/problem+json", ByteBuffer(bytes: bytes), more)
    }

    private static func response(
        _ status: Int, _ mediaType: String, _ bytes: ByteBuffer, _ more: HTTPFields = [:]
    ) -> TransportResponse {
        var headers = more
        headers[.contentType] = mediaType
        return TransportResponse(
            status: status, headers: headers,
            body: AsyncThrowingStream<ByteBuffer, any Error> {
                $0.yield(bytes)
                $0.finish()
            })
    }
}
