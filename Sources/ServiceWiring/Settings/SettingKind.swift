/// The type of a setting's value.
enum SettingKind: String {
    case text = "must be a string"
    case list = "must be an array of strings, or one string with commas"
    case number = "must be an integer"
    case flag = "must be true or false"
    case object = "must be an object"
}

extension SettingName {
    var kind: SettingKind {
        switch self {
        case .authCallsPerMinute, .identityCallsPerMinute, .accountCallsPerMinute, .addressCallsPerMinute,
            .totalCallsPerMinute, .devicesPerAccount, .connections, .connectionsPerAddress,
            .s3AccountRequestsPerMinute, .s3AddressRequestsPerMinute, .bodyBytes, .rememberedProofs,
            .rememberedWaitingDevices, .libraryBytes, .countUsageEvery, .credentialMinutes, .uploadAddressMinutes,
            .unlinkDelay, .trialDays,
            .undoDays, .backupDays, .slidingDays,
            .appStoreAppAppleID, .diskReservedBytes, .scrubEveryDays, .scrubBytesPerSecond, .tracesPercent:
            .number
        case .requireChallenge, .allowContinue, .sharing, .reserveUploads, .s3AccessLog, .s3PathStyle,
            .facebookAllowClassicTokens,
            .appStoreCheckRevocation:
            .flag
        case .appStoreBundleIDs, .appStoreEnvironments, .appStoreRootCertificates, .s3CorsOrigins, .previousMasterKeys,
            .operatorHosts,
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
