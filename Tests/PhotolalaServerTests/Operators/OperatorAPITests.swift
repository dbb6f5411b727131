import Accounts
import DevelopmentIdentityProvider
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ObjectStorage
import Operators
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// What the operator API answers and does.
@Suite struct OperatorAPITests {
    @Test("an account is found by the provider's id, an ID token and a verified address, and shows neither")
    func lookup() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "canary-bob", email: "canary@gmail.com")
        let token = try fixture.service.apple.issueToken(
            DevelopmentTokenRequest(subject: "canary-bob")
        ).idToken
        let user = bob.user.serviceUserID.description
        try await fixture.exchange { client in
            let found = [
                #"{"provider":"apple","providerID":"canary-bob"}"#, #"{"provider":"apple","idToken":"\#(token)"}"#,
                #"{"email":"Canary@Gmail.com"}"#,
            ]
            for body in found {
                let answer = try await fixture.send(client, .post, "/api/auth/lookup", as: .read, body: body)
                #expect(answer.status == .ok, "\(body): \(String(buffer: answer.body))")
                #expect(try fixture.members(answer)["account"] as? String == user)
                #expect(!String(buffer: answer.body).localizedCaseInsensitiveContains("canary"))
            }
            let refused: [(String, String)] = [
                (#"{"provider":"apple","providerID":"eve"}"#, "account_not_found"),
                (#"{"provider":"google","providerID":"canary-bob"}"#, "account_not_found"),
                (#"{"email":"other@gmail.com"}"#, "account_not_found"),
                (#"{"provider":"apple","idToken":"x.y.z"}"#, "invalid_token"),
                (#"{"provider":"none","idToken":"x.y.z"}"#, "unknown_provider"),
                (#"{"provider":"apple"}"#, "invalid_request"), (#"{}"#, "invalid_request"),
                (#"{"email":"a@b.c","provider":"apple","providerID":"x"}"#, "invalid_request"),
                ("not JSON", "invalid_request"),
            ]
            for (body, code) in refused {
                let answer = try await fixture.send(client, .post, "/api/auth/lookup", as: .read, body: body)
                #expect(try fixture.members(answer)["code"] as? String == code, "\(body)")
            }
        }
        let recorded = try await fixture.recorded()
        #expect(recorded.allSatisfy { !"\($0)".localizedCaseInsensitiveContains("canary") })
        // An answer with an account is recorded with that account.
        let shown = recorded.filter { $0.action == "account.show" }
        #expect(shown.count == 3 && Set(shown.map(\.account)).count == 1 && shown.first?.account != nil)
    }

    @Test("accounts are listed in pages without gaps or repetitions")
    func pages() async throws {
        let fixture = try await OperatorFixture()
        var users: [String] = []
        for index in 0..<7 {
            users.append(
                try await fixture.service.signUp(.apple, "person-\(index)").user.serviceUserID.description)
        }
        let expected = users.sorted()
        try await fixture.exchange { client in
            for limit in [1, 2, 3, 7, 200] {
                var (found, after) = ([String](), "")
                repeat {
                    let page = try fixture.members(
                        try await fixture.send(client, .get, "/api/accounts?limit=\(limit)\(after)", as: .read))
                    found += try #require(page["accounts"] as? [String])
                    after = (page["next"] as? String).map { "&after=\($0)" } ?? ""
                } while !after.isEmpty
                #expect(found == expected, "\(limit)")
            }
            for query in ["limit=0", "limit=201", "limit=x", "after=bob"] {
                let answer4 = try await fixture.send(client, .get, "/api/accounts?\(query)", as: .read)
                #expect(answer4.status == .badRequest)
            }
        }
    }

    @Test("a page of the audit log proves itself: each entry's hash is the next one's previousHash, up to the head")
    func history() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let path = "/api/accounts/\(bob.user.serviceUserID)"
        try await fixture.exchange { client in
            for index in 0..<4 {
                let ended = try await fixture.send(
                    client, .delete, "\(path)/sessions", as: .support, reason: "ticket-\(index)")
                #expect(ended.status == .noContent)
            }
            var (entries, before) = ([[String: Any]](), "")
            repeat {
                let page = try fixture.members(
                    try await fixture.send(client, .get, "\(path)/history?limit=2\(before)", as: .read))
                #expect(page["isProven"] as? Bool == true && page["entries"] as? Int == 5)
                if entries.isEmpty {
                    #expect((page["page"] as? [[String: Any]])?.first?["hash"] as? String == page["head"] as? String)
                }
                entries += try #require(page["page"] as? [[String: Any]])
                before = (page["next"] as? Int).map { "&before=\($0)" } ?? ""
            } while !before.isEmpty
            #expect(entries.compactMap { $0["sequence"] as? Int } == [5, 4, 3, 2, 1])
            for (later, earlier) in zip(entries, entries.dropFirst()) {
                #expect(later["previousHash"] as? String == earlier["hash"] as? String)
            }
            #expect(entries.compactMap { $0["reason"] as? String } == (0..<4).reversed().map { "ticket-\($0)" })
        }
    }

    @Test("ending the sessions of an account refuses its tokens")
    func endSessions() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        _ = try await fixture.service.caller(bob.session)
        try await fixture.exchange { client in
            let path = "/api/accounts/\(bob.user.serviceUserID)/sessions"
            let answer1 = try await fixture.send(client, .delete, path, as: .support)
            #expect(answer1.status == .noContent)
        }
        await #expect(throws: ServiceError.self) { _ = try await fixture.service.caller(bob.session) }
    }

    @Test("a count finds what is stored now")
    func usage() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let user = bob.user.serviceUserID
        let photo = ObjectKey(known: StorageLayout.photo(user, md5: "acbd18db4cc2f85cedef654fccc4a4d8"))
        _ = try await fixture.service.store.put(photo, ByteBuffer(string: "foo"), if: .always)
        try await fixture.exchange { client in
            let answer = try await fixture.send(client, .post, "/api/accounts/\(user)/usage-count", as: .support)
            let count = try fixture.members(answer)
            #expect(count["storedBytes"] as? Int == 3 && count["objects"] as? Int == 1)
            let report = try fixture.members(try await fixture.send(client, .get, "/api/accounts/\(user)", as: .read))
            #expect(report["storedBytes"] as? Int == 3)
        }
    }

    @Test("deletion, hold and their opposites act once and explain a repetition")
    func administration() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let path = "/api/accounts/\(bob.user.serviceUserID)"
        let steps: [(HTTPRequest.Method, String, HTTPResponse.Status, String?)] = [
            (.delete, "deletion", .conflict, "no_deletion_scheduled"), (.put, "deletion", .ok, nil),
            (.put, "deletion", .conflict, "deletion_scheduled"), (.put, "hold", .noContent, nil),
            (.put, "hold", .conflict, "already_held"), (.delete, "hold", .ok, nil),
            (.delete, "hold", .conflict, "not_held"), (.put, "disabled", .noContent, nil),
            (.put, "disabled", .conflict, "already_disabled"), (.delete, "disabled", .noContent, nil),
            (.delete, "disabled", .conflict, "not_disabled"), (.delete, "deletion", .noContent, nil),
        ]
        try await fixture.exchange { client in
            for (method, name, status, code) in steps {
                let answer = try await fixture.send(client, method, "\(path)/\(name)", as: .admin)
                #expect(answer.status == status, "\(method) \(name)")
                if let code { #expect(try fixture.members(answer)["code"] as? String == code) }
            }
        }
        let account = try #require(try await fixture.service.components.accounts.account(bob.user.serviceUserID)).value
        #expect(account.state == .active && account.legalHold == nil)
    }

    @Test("an export is a complete archive, and a refused one is no archive")
    func export() async throws {
        let fixture = try await OperatorFixture()
        let bob = try await fixture.service.signUp(.apple, "bob")
        try await fixture.service.services.deletion.openErasureKey()
        try await fixture.exchange { client in
            let path = "/api/accounts/\(bob.user.serviceUserID)/export"
            let answer = try await fixture.send(client, .post, path, as: .admin)
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/zip")
            // The local header of a ZIP archive, and the record at its end (APPNOTE 4.3.7, 4.3.16).
            #expect(answer.body.readableBytesView.starts(with: [0x50, 0x4b, 3, 4]))
            #expect(answer.body.readableBytesView.suffix(22).starts(with: [0x50, 0x4b, 5, 6]))
            let unknown = "/api/accounts/00000000-0000-4000-8000-000000000009/export"
            let answer2 = try await fixture.send(client, .post, unknown, as: .admin)
            #expect(answer2.status == .notFound)
        }
    }

    @Test("a finished job can be made due, and a running one not")
    func jobs() async throws {
        let fixture = try await OperatorFixture()
        let (jobs, leases) = (fixture.service.services.maintenance, fixture.service.services.operators.leases)
        try await fixture.exchange { client in
            @Sendable func start() async throws -> HTTPResponse.Status {
                try await fixture.send(client, .post, "/api/jobs/usage/runs", as: .admin).status
            }
            let unknown = try await start()
            #expect(unknown == .accepted)
            _ = try await jobs.run(.usage, every: .seconds(86_400))
            fixture.service.clock.advance(by: 60)
            guard case .heldByAnotherInstance = try await jobs.run(.usage, every: .seconds(86_400)) else {
                Issue.record("the job ran although it was not due")
                return
            }
            let finished = try await start()
            #expect(finished == .accepted)
            guard case .succeeded = try await jobs.run(.usage, every: .seconds(86_400)) else {
                Issue.record("the job did not run although it was due")
                return
            }
            fixture.service.clock.advance(by: 90_000)
            // An instance begins the job and fails.
            _ = try await leases.acquire("usage", for: 86_400)
            fixture.service.clock.advance(by: 60)
            let running = try await start()
            #expect(running == .conflict)
            // The last call of this test's last day.
            let about = try await fixture.recorded().map(\.about)
            #expect(about == ["usage"])
            // Without Apple's key no instance asks for missed notifications.
            for name in ["other", "missed-notifications"] {
                let answer3 = try await fixture.send(client, .post, "/api/jobs/\(name)/runs", as: .admin)
                #expect(answer3.status == .notFound)
            }
            let list = try fixture.members(try await fixture.send(client, .get, "/api/jobs", as: .read))
            let names = (list["jobs"] as? [[String: Any]])?.compactMap { $0["job"] as? String }
            #expect(names == OperatorFixture.jobs.map(\.rawValue))
        }
    }
}
