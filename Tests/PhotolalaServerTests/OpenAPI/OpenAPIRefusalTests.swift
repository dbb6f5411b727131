import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Codes that depend on the state of the account or of the server: exactly the operations that document them return
/// them.
@Suite struct OpenAPIRefusalTests {
    private let document: APIDocument

    init() throws { document = try APIDocument.served.get() }

    @Test func `operations that document recent authentication require it`() async throws {
        let service = try await TestService.make(try TestAppStore(clock: TestClock()).options())
        let bob = try await service.signUp(.apple, "bob")
        service.clock.advance(by: 601)
        // These require that the identity that authenticated is still linked.
        let others: Set = ["DELETE /auth/unlink-account/{linkID}", "DELETE /account/deletion"]
        try await expectRefusals(["reauthentication_required"], of: service, as: bob, besides: others)
    }

    @Test func `operations that document a scheduled deletion are refused by it`() async throws {
        let service = try await TestService.make(try TestAppStore(clock: TestClock()).options())
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            let scheduled = try await http.send(
                .post, "/account/deletion", json: #"{"confirmation":"DELETE"}"#, token: bob.session.accessToken)
            #expect(scheduled.status == .ok)
        }
        service.clock.advance(by: 5)
        let again = try await service.signIn(.apple, "bob")
        try await expectRefusals(["account_deleting", "storage_read_only"], of: service, as: again)
    }

    @Test func `operations that document purchases and shared links are refused without them`() async throws {
        var options = TestService.Options()
        options.allowsSharing = false
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        try await expectRefusals(["not_allowed"], of: service, as: bob)
    }

    @Test func `operations that document transactions refuse a malformed one`() async throws {
        let service = try await TestService.make(try TestAppStore(clock: TestClock()).options())
        let bob = try await service.signUp(.apple, "bob")
        let codes: Set = ["invalid_transaction", "invalid_move_ticket"]
        try await expectRefusals(codes, of: service, as: bob)
        for operation in document.operations {
            let refused = Set(try document.responses(of: operation)[400].map { try document.errorCodes($0) } ?? [])
            let transactions: Set = [
                "invalid_transaction", "wrong_app", "wrong_environment", "not_a_subscription", "unknown_product",
            ]
            #expect(refused.isDisjoint(with: transactions) || refused.isSuperset(of: transactions), "\(operation.name)")
        }
    }

    /// Calls all operations and compares those that return a code with those that document it.
    /// - Parameter others: operations that document the code and return it in another state.
    private func expectRefusals(
        _ codes: Set<String>, of service: TestService, as bob: SignedIn, besides others: Set<String> = []
    ) async throws {
        let documented = try documented(codes)
        let elsewhere = documented.filter { entry in others.contains { entry.hasPrefix("\($0) ") } }
        #expect(elsewhere.count == others.count)
        try await service.exchange { http in
            var returned: Set<String> = []
            for (method, path, json) in Self.calls(bob) {
                let response = try await http.send(method, path, json: json, token: bob.session.accessToken)
                let operation = try #require(document.operation(method, path), "\(method) \(path)")
                guard let body = try? DocumentValue(json: Data(response.body.readableBytesView)),
                    let code = body["code"]?.string, codes.contains(code)
                else { continue }
                returned.insert("\(operation.name) \(code)")
            }
            #expect(returned == documented.subtracting(elsewhere))
        }
    }

    private func documented(_ codes: Set<String>) throws -> Set<String> {
        var documented: Set<String> = []
        for operation in document.operations {
            for response in try document.responses(of: operation).values {
                for code in try document.errorCodes(response) where codes.contains(code) {
                    documented.insert("\(operation.name) \(code)")
                }
            }
        }
        return documented
    }

    /// Well-formed calls. Those that end the session or the deletion come last.
    private static func calls(_ bob: SignedIn) -> [(HTTPRequest.Method, String, String?)] {
        let device = bob.session.deviceID
        let other = TestService.device(2).id
        let user = "/users/\(bob.user.serviceUserID)"
        let link = bob.user.linkedProviders.first?.linkID
        let upload = #"{"md5":"5d41402abc4b2a76b9719d911017c592","size":1,"kind":"photo"}"#
        let photo =
            #"{"path":"a.jpg","md5":"5d41402abc4b2a76b9719d911017c592","modifiedAt":"2026-11-21T05:03:50Z"}"#
        let shared = "/links/\(String(repeating: "0", count: 32))"
        let options = #""title":"a","allowsDownloads":true,"includesLocation":false"#
        let code = #"{"undoCode":"none"}"#
        let transaction = #"{"signedTransaction":"none"}"#
        return [
            (.post, "/auth/challenge", #"{"purpose":"link","deviceID":"\#(device)"}"#),
            (.post, "/auth/reauthenticate", #"{"pendingIdentity":"none"}"#),
            (
                .post, "/auth/continue",
                #"{"pendingIdentity":"none","device":{"id":"\#(other)","name":"device","platform":"test"}}"#
            ),
            (.get, "/auth/devices", nil), (.delete, "/auth/devices/\(other)", nil),
            (.put, "/auth/devices/\(device)/last-sync", nil), (.post, "/auth/credentials", nil),
            (.post, "/uploads", upload), (.post, "/uploads/batch", #"{"uploads":[\#(upload)]}"#),
            (.post, "/photos", #"{"photos":[\#(photo)]}"#), (.get, "/photos", nil),
            (.get, "/photos/original?md5=5d41402abc4b2a76b9719d911017c592", nil), (.get, "/links", nil),
            (.post, "/links", #"{"photos":["5d41402abc4b2a76b9719d911017c592"],\#(options)}"#),
            (.put, shared, "{\(options)}"), (.delete, shared, nil),
            (.get, "/auth/linked-accounts", nil), (.post, "/auth/link-account", #"{"pendingIdentity":"none"}"#),
            (.post, "/auth/unlink-account", #"{"linkID":"\#(link?.description ?? "")"}"#),
            (.delete, "/auth/unlink-account/\(link?.description ?? "")", nil), (.get, user, nil),
            (.get, "\(user)/profile", nil), (.put, "\(user)/profile", "{}"), (.get, "\(user)/picture", nil),
            (.put, "\(user)/picture", nil), (.delete, "\(user)/picture", nil), (.get, "\(user)/usage", nil),
            (.get, "\(user)/audit", nil), (.get, "/account/export", nil), (.post, "/account/export", nil),
            (.post, "/account/export/files", nil),
            (.post, "/account/export/signature", #"{"manifestSHA256":"\#(String(repeating: "0", count: 64))"}"#),
            (.post, "/subscriptions/app-store", transaction),
            (.post, "/subscriptions/app-store/move-ticket", #"{"originalTransactionID":"1"}"#),
            (.post, "/subscriptions/app-store/move", transaction),
            (.post, "/subscriptions/app-store/move", #"{"moveTicket":"none"}"#),
            (.post, "/auth/forgotten-provider", transaction), (.post, "/account/deletion/undo", code),
            (.get, "/account/deletion", nil), (.post, "/account/deletion", #"{"confirmation":"DELETE"}"#),
            (.delete, "/account/deletion", nil), (.post, "/auth/signout-everywhere", nil),
        ]
    }
}
