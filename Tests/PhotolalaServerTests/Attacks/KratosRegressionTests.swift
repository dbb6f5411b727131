import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Problems that users of ory/kratos could not resolve: #3785, #3851, #3439 and #3909.
@Suite struct KratosRegressionTests {
    @Test("#3785: after the hint, one sign-in and one link suffice, and the next sign-in succeeds directly")
    func noLoop() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let bob = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 1)
            let unknown = try await http.problemOfSignIn(.google, try service.token(.google, "bob"), device: 2)
            let here = try await http.signIn(.apple, try service.token(.apple, "bob"), device: 2)
            let linked = try await http.post(
                "/auth/link-account", LinkRequest(pendingIdentity: try #require(unknown.pendingIdentity)),
                token: here.session.accessToken)
            #expect(linked.status == .ok)
            let straight = try await http.signIn(.google, try service.token(.google, "bob"), device: 3)
            #expect(straight.user.serviceUserID == bob.user.serviceUserID)
        }
    }

    @Test("#3851: a hint names the provider")
    func hintNamesTheProvider() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            _ = try await http.signUp(.google, try service.token(.google, "bob", email: "bob@gmail.com"), device: 1)
            let unknown = try await http.problemOfSignIn(
                .google, try service.token(.google, "bob-again", email: "bob@gmail.com"), device: 2)
            #expect(unknown.hints?.map(\.provider) == [.google])
            #expect(unknown.detail.contains("Sign in with Google, or create an account."))
        }
    }

    @Test(
        "#3851: a Google sign-in with the same verified address gets a hint to an account created with Apple",
        arguments: ["bob@gmail.com", "bob@own-domain.example"])
    func hintAcrossProviders(address: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            _ = try await http.signUp(.apple, try service.token(.apple, "bob", email: address), device: 1)
            let unknown = try await http.problemOfSignIn(
                .google, try service.token(.google, "bob", email: address), device: 2)
            #expect(unknown.code == .noAccountFound && unknown.hints == [AccountHint(provider: .apple)])
            #expect(unknown.detail.contains("Sign in with Apple, or create an account."))
        }
    }

    @Test("#3439: linking an identity that has its own account returns 409, and both accounts stay unchanged")
    func identityWithItsOwnAccount() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let own = try await http.signUp(.google, try service.token(.google, "bob"), device: 1)
            let other = try await http.signUp(.apple, try service.token(.apple, "bob"), device: 2)
            let refused = try await http.requestLink(.google, try service.token(.google, "bob"), other.session)
            #expect(refused.status == .conflict)
            #expect(try http.problem(refused).code == .providerAlreadyLinked)
            #expect(try await http.providers(other.session) == [.apple])
            let still = try await http.signIn(.google, try service.token(.google, "bob"), device: 3)
            #expect(still.user.serviceUserID == own.user.serviceUserID)
        }
    }

    @Test("#3909: two identities of one provider can be linked to one account, and each opens it")
    func twoOfOneProvider() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let bob = try await http.signUp(.google, try service.token(.google, "private"), device: 1)
            #expect(try await http.requestLink(.google, try service.token(.google, "work"), bob.session).status == .ok)
            #expect(try await http.providers(bob.session) == [.google, .google])
            for subject in ["private", "work"] {
                let entered = try await http.signIn(.google, try service.token(.google, subject), device: 2)
                #expect(entered.user.serviceUserID == bob.user.serviceUserID)
            }
        }
    }
}
