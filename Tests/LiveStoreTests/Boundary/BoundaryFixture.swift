import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Testing

/// Two users with objects in a store that also has the service's objects; one of the users has credentials.
///
/// Paths contain `{own}` and `{other}` for the users' IDs, and `{OWN}` and `{OTHER}` for the same IDs in upper case.
struct BoundaryFixture {
    let engine: any BoundaryEngine
    let own = UserID(uuid: UUID())
    let other = UserID(uuid: UUID())
    let credentials: AWSCredentials
    /// Objects that the user must neither read nor change, by key.
    private let foreign: [String: String]

    init(_ engine: any BoundaryEngine, _ access: StorageAccessLevel = .readWrite) async throws {
        self.engine = engine
        credentials = try await engine.credentials(of: own, access)
        var foreign: [String: String] = [:]
        let service = [
            StorageLayout.accountDocument(own), "\(StorageLayout.identities)boundary/\(own)",
            "\(StorageLayout.service)boundary/\(own)",
        ]
        for key in StorageLayout.userPrefixes(other).map({ "\($0)x" }) + service { foreign[key] = "secret of \(key)" }
        self.foreign = foreign
        for (key, text) in foreign { try await put(key, text) }
        for prefix in StorageLayout.userPrefixes(own) { try await put("\(prefix)x", "own") }
        try await put("\(StorageLayout.photos(own))source", "own")
    }

    private func put(_ key: String, _ text: String) async throws {
        try await engine.everything.put(ObjectKey(known: key), ByteBuffer(string: text), if: .always)
    }

    func text(_ key: String) async throws -> String? {
        try await engine.everything.get(ObjectKey(known: filled(key)), limit: 1024).map { String(buffer: $0.bytes) }
    }

    func filled(_ text: String) -> String {
        text.replacing("{own}", with: own.description).replacing("{other}", with: other.description)
            .replacing("{OWN}", with: own.description.uppercased())
            .replacing("{OTHER}", with: other.description.uppercased())
    }

    /// Sends a request as the user. No response may disclose foreign objects.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", headers: [String: String] = [:],
        body: String = "", as credentials: AWSCredentials? = nil
    ) async throws -> RawClient.Response {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = filled(value) }
        let response = try await engine.raw.send(
            method, filled(path), query: filled(query), headers: fields, body: filled(body),
            as: credentials ?? self.credentials)
        #expect(!response.text.contains("secret of"), "\(method) \(path)")
        return response
    }

    /// Checks that foreign objects are unchanged.
    func checkForeign(_ comment: Comment) async throws {
        for (key, text) in foreign { #expect(try await self.text(key) == text, comment) }
    }
}
