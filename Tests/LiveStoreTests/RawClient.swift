import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import PhotolalaTesting
import S3Protocol
import Transport

/// Sends signed requests unchanged, including ones that the store's client would not send.
struct RawClient: Sendable {
    struct Response: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String
    }

    let endpoint: String
    let bucket: String
    let transport: AsyncHTTPTransport

    /// - Parameters:
    ///   - path: The path below the bucket, percent-encoded.
    ///   - payload: The body hash in the signature; by default, the hash of the body.
    ///   - credentials: The credentials; `nil` sends the request unsigned.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", headers: HTTPFields = [:],
        body: String = "", payload: PayloadHash? = nil, as credentials: AWSCredentials?
    ) async throws -> Response {
        guard let port = URL(string: endpoint)?.port else { throw ConformanceFailure("no port in \(endpoint)") }
        let path = path.isEmpty ? "/\(bucket)" : "/\(bucket)/\(path)"
        var headers = headers
        if let credentials {
            let request = SignableRequest(
                method: method.rawValue, host: "127.0.0.1:\(port)", path: path, query: query, headers: headers
            )
            headers.append(contentsOf: sign(request, payload ?? .of(Data(body.utf8)), as: credentials))
        }
        let response = try await transport.send(
            TransportRequest(
                method: method, url: endpoint + path + (query.isEmpty ? "" : "?\(query)"), headers: headers,
                body: body.isEmpty ? .none : .bytes(ByteBuffer(string: body))
            )
        )
        let bytes = try await response.collect(limit: 1 << 20)
        return Response(status: response.status, headers: response.headers, text: String(buffer: bytes))
    }

    private func sign(
        _ request: SignableRequest, _ payload: PayloadHash, as credentials: AWSCredentials
    ) -> HTTPFields {
        RequestSigner(credentials: credentials, region: "us-east-1", service: "s3", pathNormalization: .none)
            .sign(request, payload: payload, at: Date()).headers
    }

    /// Sends the header of a PUT and ends the connection's output before the body.
    /// - Parameter body: What the header declares.
    /// - Returns: The status line.
    func sendHeader(
        _ path: String, headers: HTTPFields = [:], of body: String, as credentials: AWSCredentials
    ) async throws -> String {
        guard let port = URL(string: endpoint)?.port else { throw ConformanceFailure("no port in \(endpoint)") }
        let (path, host) = ("/\(bucket)/\(path)", "127.0.0.1:\(port)")
        let request = SignableRequest(method: "PUT", host: host, path: path, query: "", headers: headers)
        let fields = headers + sign(request, .of(Data(body.utf8)), as: credentials)
        var head = "PUT \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { input, output in
            try await output.write(ByteBuffer(string: "\(head)\r\n"))
            output.finish()
            var response = ByteBuffer()
            for try await var part in input {
                response.writeBuffer(&part)
                if String(buffer: response).contains("\r\n") { break }
            }
            return String(buffer: response).prefix { $0 != "\r\n" }.description
        }
    }
}
