import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A purchase through a real server with its own certificates, as Apple, the app and the operator see it.
@Suite struct PurchaseJourneyTests {
    @Test func `a purchase grants Bob a tier, a refund revokes it, and the operator's report shows the refund`()
        async throws
    {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            let appStore = try TestAppStore(clock: TestClock(start))
            let variables = [
                "PHOTOLALA_TIERS": #"{"premium":{"products":["\#(TestAppStore.premium)"]}}"#,
                "PHOTOLALA_APP_STORE_BUNDLE_IDS": TestAppStore.bundleID,
                "PHOTOLALA_APP_STORE_ROOT_CERTIFICATES":
                    Data(appStore.certificates.root).base64EncodedString(),
            ]
            let server = try await ServerProcess(data: data, transport: transport, variables: variables)
            let bob = Person(1, transport: transport)
            let token = try await bob.token(at: server.address)
            let session = try #require(try await bob.signUp(at: server.address, token: token)).session
            var purchase = TestPurchase(TestAppStore.premium, id: "2000000777", at: start)
            let body = #"{"signedTransaction":"\#(try appStore.transaction(purchase))"}"#
            let response = try await bob.call(
                "\(server.address)/subscriptions/app-store", json: body, token: session.accessToken)
            #expect(response.status == 200)
            #expect(try WireJSON.decoder().decode(Subscription.self, from: response.body).tier == .premium)

            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            let tokenFile = folder.appendingPathComponent("token")
            try Data(try await bob.token(at: server.address).utf8).write(to: tokenFile)
            let signIn = try await laptop.run("signin", "--provider", "apple", "--id-token-file", tokenFile.path)
            #expect(signIn.status == 0, "\(signIn.errors)")
            let words = String(decoding: try await laptop.run("whoami").output, as: UTF8.self)
            #expect(words.contains("Plan: premium"))
            #expect(words.contains("Subscription 2000000777 (\(TestAppStore.premium)): until"))

            purchase.revokedAt = start
            let refund = try appStore.notification(
                "REFUND", id: UUID(), transaction: try appStore.transaction(purchase))
            let told = try await bob.call(
                "\(server.address)/webhooks/app-store", json: String(decoding: refund, as: UTF8.self))
            #expect(told.status == 200)
            let after = String(decoding: try await laptop.run("whoami").output, as: UTF8.self)
            #expect(after.contains("Plan: free") && after.contains("refunded"))
            #expect(server.stop() == 0)

            let seen = try OperatorCommand.run("subscription", "2000000777", data: data)
            #expect(seen.status == 0, "\(seen.output)")
            #expect(seen.output.contains("subscription 2000000777, Sandbox"), "\(seen.output)")
            #expect(seen.output.contains("REFUND: ends") && seen.output.contains(", revoked "), "\(seen.output)")
            let narrow = try OperatorCommand.run("subscription", "--sandbox", "2000000777", data: data)
            #expect(narrow.status == 0 && narrow.output == seen.output, "\(narrow.output)")
            #expect(try OperatorCommand.run("subscription", "2000000778", data: data).status == 69)
        }
    }
}
