/// All settings. `docs/configuration.md` lists them, and a test compares the two.
package enum SettingName: String, CaseIterable {
    case environment
    case store
    case data
    case diskReservedBytes = "disk.reservedBytes"
    case scrubEveryDays = "scrub.everyDays"
    case scrubBytesPerSecond = "scrub.bytesPerSecond"
    case listen
    case operatorListen = "operator.listen"
    case operatorHosts = "operator.hosts"
    case metricsEMF = "metrics.emf"
    case tracesOTLP = "traces.otlp"
    case tracesPercent = "traces.percent"
    case tlsCertificate = "tls.certificate"
    case tlsKey = "tls.key"
    case s3Listen = "s3.listen"
    case s3Endpoint = "s3.endpoint"
    case s3Region = "s3.region"
    case s3Bucket = "s3.bucket"
    case s3CorsOrigins = "s3.corsOrigins"
    case s3AccessLog = "s3.accessLog"
    case s3InternalEndpoint = "s3.internalEndpoint"
    case s3PathStyle = "s3.pathStyle"
    case s3ExpectedBucketOwner = "s3.expectedBucketOwner"
    case s3AccessKeyID = "s3.accessKeyID"
    case s3SecretAccessKey = "s3.secretAccessKey"
    case stsRoleARN = "sts.roleARN"
    case stsExternalID = "sts.externalID"
    case stsEraserRoleARN = "sts.eraserRoleARN"
    case stsEndpoint = "sts.endpoint"
    case publicURL
    case brandName = "brand.name"
    case brandLogo = "brand.logo"
    case brandAccent = "brand.accent"
    case brandTermsURL = "brand.termsURL"
    case brandPrivacyURL = "brand.privacyURL"
    case brandSupportURL = "brand.supportURL"
    case brandPlansURL = "brand.plansURL"
    case brandSecurityURL = "brand.securityURL"
    case tokenIssuer = "tokens.issuer"
    case tokenAudience = "tokens.audience"
    case masterKey = "keys.master"
    case previousMasterKeys = "keys.previous"
    case subjects
    case requireChallenge = "signIn.requireChallenge"
    case allowContinue = "signIn.allowContinue"
    case sharing
    case unlinkDelay = "signIn.unlinkDelaySeconds"
    case slidingDays = "sessions.slidingDays"
    case undoDays = "deletion.undoDays"
    case backupDays = "deletion.backupDays"
    case apps = "signIn.apps"
    case authCallsPerMinute = "limits.authCallsPerMinute"
    case identityCallsPerMinute = "limits.identityCallsPerMinute"
    case accountCallsPerMinute = "limits.accountCallsPerMinute"
    case addressCallsPerMinute = "limits.addressCallsPerMinute"
    case totalCallsPerMinute = "limits.totalCallsPerMinute"
    case devicesPerAccount = "limits.devicesPerAccount"
    case connections = "limits.connections"
    case connectionsPerAddress = "limits.connectionsPerAddress"
    case s3AccountRequestsPerMinute = "limits.s3AccountRequestsPerMinute"
    case s3AddressRequestsPerMinute = "limits.s3AddressRequestsPerMinute"
    case bodyBytes = "limits.bodyBytes"
    case rememberedProofs = "limits.rememberedProofs"
    case rememberedWaitingDevices = "limits.rememberedWaitingDevices"
    case libraryBytes = "limits.libraryBytes"
    case trustedProxies = "limits.trustedProxies"
    case countUsageEvery = "usage.countEverySeconds"
    case reserveUploads = "uploads.reserved"
    case uploadAddressMinutes = "uploads.addressMinutes"
    case uploadAccessKeyID = "uploads.accessKeyID"
    case uploadSecretAccessKey = "uploads.secretAccessKey"
    case credentialMinutes = "credentials.minutes"
    case tiers
    case trialTier = "trial.tier"
    case trialDays = "trial.days"
    case appStoreBundleIDs = "appStore.bundleIDs"
    case appStoreAppAppleID = "appStore.appAppleID"
    case appStoreEnvironments = "appStore.environments"
    case appStoreRootCertificates = "appStore.rootCertificates"
    case appStoreCheckRevocation = "appStore.checkRevocation"
    case appStoreIssuerID = "appStore.issuerID"
    case appStoreKeyID = "appStore.keyID"
    case appStorePrivateKey = "appStore.privateKey"
    case appStoreServerURL = "appStore.serverURL"
    case appStoreSandboxServerURL = "appStore.sandboxServerURL"
    case webhooksURL = "webhooks.url"
    case webhooksSecrets = "webhooks.secrets"
    case mailURL = "mail.url"
    case mailFrom = "mail.from"
    case logLevel = "log.level"
    case logFormat = "log.format"
    case appleAudiences = "apple.audiences"
    case appleIssuers = "apple.issuers"
    case appleKeySetURL = "apple.keySetURL"
    case appleBrowserClientID = "apple.browserClientID"
    case appleAuthorizationURL = "apple.authorizationURL"
    case appleTokenURL = "apple.tokenURL"
    case appleRevokeURL = "apple.revokeURL"
    case appleUserMigrationURL = "apple.userMigrationURL"
    case appleTeamID = "apple.teamID"
    case appleKeyID = "apple.keyID"
    case applePrivateKey = "apple.privateKey"
    case appleRedirectURIs = "apple.redirectURIs"
    case googleAudiences = "google.audiences"
    case googleIssuers = "google.issuers"
    case googleKeySetURL = "google.keySetURL"
    case googleBrowserClientID = "google.browserClientID"
    case googleAuthorizationURL = "google.authorizationURL"
    case googleTokenURL = "google.tokenURL"
    case googleRevokeURL = "google.revokeURL"
    case googleClientSecrets = "google.clientSecrets"
    case googleRedirectURIs = "google.redirectURIs"
    case googleHostedDomains = "google.hostedDomains"
    case googleAuthorizedParties = "google.authorizedParties"
    case microsoftAudiences = "microsoft.audiences"
    case microsoftIssuers = "microsoft.issuers"
    case microsoftKeySetURL = "microsoft.keySetURL"
    case microsoftBrowserClientID = "microsoft.browserClientID"
    case microsoftAuthorizationURL = "microsoft.authorizationURL"
    case microsoftTokenURL = "microsoft.tokenURL"
    case microsoftClientSecrets = "microsoft.clientSecrets"
    case microsoftTenants = "microsoft.tenants"
    case facebookAudiences = "facebook.audiences"
    case facebookIssuers = "facebook.issuers"
    case facebookKeySetURL = "facebook.keySetURL"
    case facebookBrowserClientID = "facebook.browserClientID"
    case facebookAuthorizationURL = "facebook.authorizationURL"
    case facebookTokenURL = "facebook.tokenURL"
    case facebookAppSecrets = "facebook.appSecrets"
    case facebookAllowClassicTokens = "facebook.allowClassicTokens"
    case facebookGraphURL = "facebook.graphURL"
    case oidc

    /// The setting's environment variable.
    var environmentVariable: String { Self.environmentVariable(of: rawValue) }

    /// Returns the environment variable of a setting.
    static func environmentVariable(of setting: String) -> String {
        var name = "PHOTOLALA_"
        var wasLower = false
        for character in setting {
            if character == "." {
                name.append("_")
            } else {
                if character.isUppercase, wasLower { name.append("_") }
                name.append(character.uppercased())
            }
            wasLower = character.isLowercase || character.isNumber
        }
        return name
    }
}
