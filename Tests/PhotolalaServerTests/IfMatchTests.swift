import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaServer

/// The If-Match condition for replacing a profile.
@Suite struct IfMatchTests {
    @Test(
        "a well-formed header is parsed",
        arguments: [
            ("*", IfMatch.any), (" * ", .any), (#""a""#, .tags(["a"])), (#""a","b""#, .tags(["a", "b"])),
            (#" "a" , W/"b" ,, "c,d" "#, .tags(["a", "c,d"])), (#"W/"a""#, .tags([])), (#""""#, .tags([""])),
        ])
    func read(text: String, condition: IfMatch) { #expect(IfMatch(text) == condition) }

    @Test(
        "a malformed header is rejected",
        arguments: ["", " ", ",", "a", #""a"#, #"a""#, #"*,"a""#, #""a" "b""#, #"w/"a""#, "\"a b\"", #""a"x"#])
    func malformed(text: String) { #expect(IfMatch(text) == nil) }

    @Test("a profile is replaced if a strong tag matches, or with * if a profile exists")
    func profile() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let ada = try await service.signUp(.google, "ada", device: 2)
        try await service.exchange { http in
            let path = "/users/\(bob.user.serviceUserID)/profile"
            let read = try await http.send(.get, path, token: bob.session.accessToken)
            let tag = try #require(read.headers[.eTag])
            let weak = try await replace(bob, "W/\(tag)", http)
            #expect(weak == .preconditionFailed)
            let others = try await replace(bob, #""x", "y""#, http)
            #expect(others == .preconditionFailed)
            let listed = try await replace(bob, "\"x\", \(tag)", http)
            #expect(listed == .ok)
            let stale = try await replace(bob, tag, http)
            #expect(stale == .preconditionFailed)
            let any = try await replace(bob, "*", http)
            #expect(any == .ok)
            let bare = try await replace(bob, "x", http)
            #expect(bare == .badRequest)
            let nothing = try await replace(ada, "*", http)
            #expect(nothing == .preconditionFailed)
        }
    }

    private func replace(
        _ person: SignedIn, _ condition: String, _ http: HTTPExchange
    ) async throws -> HTTPResponse.Status {
        try await http.send(
            .put, "/users/\(person.user.serviceUserID)/profile", json: #"{"displayName":"Robert"}"#,
            token: person.session.accessToken, headers: [.ifMatch: condition]
        ).status
    }
}
