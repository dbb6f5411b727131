import Foundation
import HTTPTypes
import NIOCore
import Transport

/// The credentials of a container's role, on ECS and with EKS Pod Identity.
package struct ContainerCredentials: Sendable {
    private enum Authorization {
        case none
        case token(String)
        /// Read for every request, because its content is renewed.
        case file(String)
    }

    private let url: String
    private let authorization: Authorization
    private let transport: any HTTPTransport

    /// Reads `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI`, and
    /// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN`.
    ///
    /// Returns `nil` if there is no URL.
    /// - Throws: `refused` for a URL that must not be queried for this machine's credentials: plain HTTP is allowed
    ///   only for loopback and the addresses of ECS and EKS.
    package init?(environment: [String: String], transport: any HTTPTransport) throws(CredentialError) {
        func value(_ name: String) -> String? { environment["AWS_CONTAINER_\(name)"].flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("CREDENTIALS_RELATIVE_URI") {
            guard path.hasPrefix("/") else { throw .refused("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not a path") }
            url = "http://169.254.170.2\(path)"
        } else if let address = value("CREDENTIALS_FULL_URI") {
            guard Self.isTrusted(address) else {
                throw .refused("AWS_CONTAINER_CREDENTIALS_FULL_URI: untrusted address \(address)")
            }
            url = address
        } else {
            return nil
        }
        authorization =
            value("AUTHORIZATION_TOKEN_FILE").map { .file($0) } ?? value("AUTHORIZATION_TOKEN").map { .token($0) }
            ?? .none
        self.transport = transport
    }

    /// Fetches the credentials.
    /// - Throws: `refused` if there are none for this container, `unavailable` if the endpoint does not respond.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        var headers: HTTPFields = [:]
        headers[.authorization] = try token()
        let request = TransportRequest(method: .get, url: url, headers: headers)
        return try await CredentialResponse.of(request, over: transport).keys()
    }

    private func token() throws(CredentialError) -> String? {
        let token: String
        switch authorization {
        case .none: return nil
        case .token(let value): token = value
        case .file(let path): token = try TokenFile.read(path)
        }
        // A line break would start another header field.
        guard !token.contains(where: \.isNewline) else { throw .refused("authorization token with several lines") }
        return token
    }

    private static func isTrusted(_ address: String) -> Bool {
        guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty, parts.user == nil else {
            return false
        }
        if parts.scheme == "https" { return true }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let known: Set = ["localhost", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"]
        return parts.scheme == "http" && (known.contains(bare) || isLoopback(bare))
    }

    /// Requires four numbers, the first of them 127: a host name with that prefix could belong to anyone.
    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers[0] == 127
    }
}
