import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Purchases over HTTP.
@Suite struct PurchaseTests {
    private func open() async throws -> (TestService, TestAppStore) {
        let clock = TestClock()
        let appStore = try TestAppStore(clock: clock)
        return (try await TestService.make(try appStore.options(), clock: clock), appStore)
    }

    @Test func `a presented purchase grants its tier and appears in the account`() async throws {
        let (service, appStore) = try await open()
        let bob = try await service.signUp(.apple, "bob")
        let purchase = TestPurchase(TestAppStore.premium, id: "1", at: service.clock.now)
        try await service.exchange { http in
            let body = AppStorePurchase(signedTransaction: try appStore.transaction(purchase))
            let anonymous = try await http.post("/subscriptions/app-store", body)
            #expect(anonymous.status == .unauthorized)
            let response = try await http.post("/subscriptions/app-store", body, token: bob.session.accessToken)
            #expect(response.status == .ok)
            let given = try http.answer(response, as: Subscription.self)
            #expect(given.tier == .premium && given.appStore?.productID == TestAppStore.premium)
            let user = try await http.send(
                .get, "/users/\(bob.user.serviceUserID)", token: bob.session.accessToken)
            #expect(try http.answer(user, as: User.self).subscription == given)
        }
    }

    @Test func `each refused call returns its status and code`() async throws {
        let (service, appStore) = try await open()
        let bob = try await service.signUp(.apple, "bob")
        let eve = try await service.signUp(.google, "eve", device: 2)
        let purchase = TestPurchase(TestAppStore.premium, id: "1", at: service.clock.now)
        let stickers = TestPurchase("stickers", id: "2", at: service.clock.now)
        let old = try appStore.transaction(purchase, signedAt: service.clock.now.addingTimeInterval(-601))
        try await service.exchange { http in
            func expect(
                _ path: String, _ body: some Encodable, _ status: Int, _ code: ErrorCode, _ token: String?
            ) async throws {
                let response = try await http.post(path, body, token: token)
                #expect(response.status.code == status)
                #expect(try http.problem(response).code == code)
            }
            let (path, move) = ("/subscriptions/app-store", "/subscriptions/app-store/move")
            let fresh = AppStorePurchase(signedTransaction: try appStore.transaction(purchase))
            _ = try await http.post(path, fresh, token: bob.session.accessToken)
            let theirs = eve.session.accessToken
            try await expect(path, fresh, 409, .subscriptionTaken, theirs)
            try await expect(path, AppStorePurchase(signedTransaction: "x"), 400, .invalidTransaction, theirs)
            let unknown = AppStorePurchase(signedTransaction: try appStore.transaction(stickers))
            try await expect(path, unknown, 400, .unknownProduct, theirs)
            try await expect(move, MoveRequest(moveTicket: "x"), 400, .invalidMoveTicket, theirs)
            try await expect(move, MoveRequest(signedTransaction: old), 403, .transactionTooOld, theirs)
            try await expect(move, MoveRequest(), 400, .invalidRequest, theirs)
            try await expect(
                "\(path)/move-ticket", MoveTicketRequest(originalTransactionID: "1"), 404, .notFound, theirs)
            let forgotten = "/auth/forgotten-provider"
            try await expect(forgotten, AppStorePurchase(signedTransaction: old), 403, .transactionTooOld, nil)
            let hints = try await http.post(forgotten, fresh)
            #expect(try http.answer(hints, as: ForgottenProvider.self).hints == [AccountHint(provider: .apple)])
            service.clock.advance(by: 601)
            try await expect(
                "\(path)/move-ticket", MoveTicketRequest(originalTransactionID: "1"), 403,
                .reauthenticationRequired, bob.session.accessToken)
        }
    }

    @Test func `each refused transaction returns its code and a distinct detail`() async throws {
        let (service, appStore) = try await open()
        let bob = try await service.signUp(.apple, "bob")
        let purchase = TestPurchase(TestAppStore.premium, id: "1", at: service.clock.now)
        let payload = appStore.payload(purchase)
        func changed(_ name: String, _ value: String) throws -> String {
            try appStore.sign(payload.merging([name: .string(value)]) { _, new in new })
        }
        var real = purchase
        real.environment = .production
        let parts = try appStore.transaction(purchase).split(separator: ".")
        let other = try appStore.transaction(TestPurchase(TestAppStore.basic, id: "2", at: service.clock.now))
        let stranger = try TestAppStore.stranger(clock: service.clock)
        let ahead = service.clock.now.addingTimeInterval(301)
        let long = service.clock.now.addingTimeInterval(-400_000_000)
        let refused: [(String, ErrorCode)] = [
            ("x", .invalidTransaction), (try stranger.transaction(purchase), .invalidTransaction),
            ("\(parts[0]).\(parts[1]).\(other.split(separator: ".")[2])", .invalidTransaction),
            (try appStore.transaction(purchase, signedAt: ahead), .invalidTransaction),
            (try appStore.transaction(purchase, signedAt: long), .invalidTransaction),
            (try appStore.sign(payload, header: ["alg": .string("ES384")]), .invalidTransaction),
            (try changed("bundleId", "com.example.other"), .wrongApp),
            (try appStore.transaction(real), .wrongEnvironment),
            (try changed("type", "Consumable"), .notASubscription), (try changed("productId", "x"), .unknownProduct),
        ]
        try await service.exchange { http in
            var details: Set<String> = []
            for (signed, code) in refused {
                let response = try await http.post(
                    "/subscriptions/app-store", AppStorePurchase(signedTransaction: signed),
                    token: bob.session.accessToken)
                let problem = try http.problem(response)
                #expect(problem.status == 400 && problem.code == code, "\(problem.detail)")
                details.insert(problem.detail)
            }
            #expect(details.count == refused.count)
            #expect(details.contains("The purchase was made in Production, which this server does not accept."))
        }
    }

    @Test func `the App Store webhook accepts Apple's notifications and rejects other bodies`() async throws {
        let (service, appStore) = try await open()
        let test = String(decoding: try appStore.notification("TEST", id: UUID()), as: UTF8.self)
        try await service.exchange { http in
            #expect(try await http.send(.post, "/webhooks/app-store", json: test).status == .ok)
            for body in ["{}", #"{"signedPayload":"a.b.c"}"#, "\u{0}", #"{"signedPayload":1}"#] {
                let response = try await http.send(.post, "/webhooks/app-store", json: body)
                #expect(try http.problem(response).code == .invalidEvent)
            }
        }
    }

    @Test func `a store failure returns 503, and the repeated notification succeeds`() async throws {
        let clock = TestClock()
        let appStore = try TestAppStore(clock: clock)
        let store = FaultyObjectStore(MemoryObjectStore { clock.now })
        let service = try await TestService.make(try appStore.options(), store: store, clock: clock)
        let purchase = TestPurchase(TestAppStore.premium, id: "1", at: clock.now)
        let body = String(
            decoding: try appStore.notification(
                "SUBSCRIBED", id: UUID(), transaction: try appStore.transaction(purchase)), as: UTF8.self)
        try await service.exchange { http in
            store.arm(.unavailable, at: 0)
            let response = try await http.send(.post, "/webhooks/app-store", json: body)
            #expect(response.status == .serviceUnavailable)
            #expect(try await http.send(.post, "/webhooks/app-store", json: body).status == .ok)
        }
    }

    @Test func `without purchases configured, the webhook returns 404 and calls return notAllowed`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            #expect(try await http.send(.post, "/webhooks/app-store", json: "{}").status == .notFound)
            let response = try await http.post(
                "/subscriptions/app-store", AppStorePurchase(signedTransaction: "x"), token: bob.session.accessToken)
            #expect(try http.problem(response).code == .notAllowed)
        }
    }
}
