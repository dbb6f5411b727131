import Foundation
import HTTPTypes
import NIOCore
import Transport

/// The keys of the role that a container has, on ECS and by EKS pod identity.
package struct ContainerCredentials: Sendable {
    private enum Authorization {
        case none
        case token(String)
        /// Read for every request, for its content is renewed.
        case file(String)
    }

    private let url: String
    private let authorization: Authorization
    private let transport: any HTTPTransport

    /// Reads `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI`, and
    /// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN`.
    ///
    /// Gives `nil` when there is no address.
    /// - Throws: `refused` for an address that the keys of this machine must not be asked of: over plain http only
    ///   loopback and the addresses of ECS and EKS will do.
    package init?(environment: [String: String], transport: any HTTPTransport) throws(CredentialError) {
        func value(_ name: String) -> String? { environment["AWS_CONTAINER_\(name)"].flatMap { $0.isEmpty ? nil : $0 } }
        if let path = value("CREDENTIALS_RELATIVE_URI") {
            guard path.hasPrefix("/") else { throw .refused("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is no path") }
            url = "http://169.254.170.2\(path)"
        } else if let address = value("CREDENTIALS_FULL_URI") {
            guard Self.isTrusted(address) else {
                throw .refused("AWS_CONTAINER_CREDENTIALS_FULL_URI: \(address) is not to be trusted")
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

    /// Asks for the keys.
    /// - Throws: `refused` when there are none for this container, `unavailable` when nobody answers.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        var headers: HTTPFields = [:]
        headers[.authorization] = try token()
        let request = TransportRequest(method: .get, url: url, headers: headers)
        return try await CredentialAnswer.of(request, over: transport).keys()
    }

    private func token() throws(CredentialError) -> String? {
        let token: String
        switch authorization {
        case .none: return nil
        case .token(let given): token = given
        case .file(let path): token = try TokenFile.read(path)
        }
        // Another line would be another header field.
        guard !token.contains(where: \.isNewline) else { throw .refused("an authorization token of several lines") }
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

    /// Four numbers, the first of them 127: a name that begins so is anybody's.
    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers[0] == 127
    }
}
