import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing

/// The countries of sign-ins on the account pages.
@Suite struct CountryPageTests {
    @Test("devices and activity name the country in the page's language, and none that is not known")
    func pages() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let before = try await bob.page("/account/devices")
            #expect(!before.contains("Sign-in from"))
            _ = try await RequestOrigin.$country.withValue(CountryCode("DE")) {
                try await service.signIn(.google, "dev-bob", device: 2)
            }
            let devices = try await bob.page("/account/devices")
            #expect(devices.matches(of: /Sign-in from: Germany/).count == 1)
            // This browser is the first device, although another signed in last.
            let first = try #require(devices.firstMatch(of: /<ul class="cards">\n<li>\n<h2>.*/)).output
            #expect(first.contains("This browser"))
            let activity = try await bob.page("/account/activity")
            #expect(activity.contains("<bdi>Germany</bdi>"))
            let german = try await bob.send(.get, "/account/devices", headers: [.acceptLanguage: "de"])
            #expect(String(buffer: german.body).contains("Anmeldung aus: Deutschland"))
        }
    }
}
