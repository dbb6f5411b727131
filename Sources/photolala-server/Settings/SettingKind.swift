/// The type of a setting's value.
enum SettingKind: String {
    case text = "a text in quotes"
    case list = "an array of texts, or one text with commas"
    case number = "a whole number"
    case flag = "true or false"
    case object = "an object in braces"
}

extension SettingName {
    var kind: SettingKind {
        switch self {
        case .authCallsPerMinute, .identityCallsPerMinute, .accountCallsPerMinute, .addressCallsPerMinute,
            .totalCallsPerMinute, .devicesPerAccount, .connections, .connectionsPerAddress,
            .s3AccountRequestsPerMinute, .s3AddressRequestsPerMinute, .bodyBytes, .rememberedProofs,
            .rememberedWaitingDevices, .libraryBytes, .countUsageEvery, .credentialMinutes, .unlinkDelay, .trialDays,
            .appStoreAppAppleID, .diskReservedBytes, .scrubEveryDays, .scrubBytesPerSecond:
            .number
        case .requireChallenge, .allowContinue, .reserveUploads, .s3PathStyle, .facebookAllowClassicTokens,
            .appStoreCheckRevocation:
            .flag
        case .appStoreBundleIDs, .appStoreEnvironments, .appStoreRootCertificates, .s3CorsOrigins, .previousMasterKeys,
            .webhooksSecrets, .trustedProxies, .appleAudiences, .appleIssuers,
            .googleAudiences, .googleIssuers, .googleHostedDomains, .googleAuthorizedParties,
            .microsoftAudiences, .microsoftIssuers, .microsoftTenants, .facebookAudiences, .facebookIssuers:
            .list
        case .appleRedirectURIs, .googleClientSecrets, .googleRedirectURIs, .facebookAppSecrets,
            .microsoftClientSecrets, .oidc,
            .apps, .tiers:
            .object
        default: .text
        }
    }
}
