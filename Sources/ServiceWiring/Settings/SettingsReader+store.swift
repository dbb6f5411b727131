import AWSServices
import PhotolalaAPI
import S3Protocol
import StorageAccess

extension SettingsReader {
    /// Reads the settings of the store. Reports settings that only apply to the other kind of store, because they would
    /// have no effect.
    mutating func store(_ environment: DeploymentEnvironment) -> StoreSettings {
        let kind = choice(.store, of: StoreSettings.Kind.self)
        // For an unknown kind, only the kind itself is reported.
        if kind != nil || text(.store) == nil {
            rejectSettings(kind == .s3 ? Self.folderOnlySettings : Self.bucketOnlySettings, on: kind ?? .folder)
        }
        return kind == .s3 ? .bucket(bucket(environment)) : .folder(folder(environment))
    }

    private static let folderOnlySettings: [SettingName] = [
        .data, .s3Listen, .s3CorsOrigins, .s3AccessLog, .diskReservedBytes, .scrubEveryDays, .scrubBytesPerSecond,
    ]
    private static let bucketOnlySettings: [SettingName] = [
        .s3InternalEndpoint, .s3PathStyle, .s3ExpectedBucketOwner, .s3AccessKeyID, .s3SecretAccessKey, .stsRoleARN,
        .stsExternalID, .stsEraserRoleARN, .stsEndpoint, .uploadAccessKeyID, .uploadSecretAccessKey,
    ]

    private mutating func rejectSettings(_ names: [SettingName], on kind: StoreSettings.Kind) {
        for name in names where text(name, isSecret: true) != nil {
            report("\(name.rawValue): not applicable with store \(kind.rawValue)")
        }
    }

    private mutating func folder(_ environment: DeploymentEnvironment) -> FolderSettings {
        let listen = address(.s3Listen, default: ListenAddress(host: defaultHost, port: 9000))
        if text(.data) == nil { report("data: required: --data DIR for a folder, or store s3 for a bucket") }
        return FolderSettings(
            data: text(.data) ?? "", listen: listen, endpoint: baseURL(.s3Endpoint) ?? "\(scheme)://\(listen)",
            region: region(), bucket: bucketName(environment), corsOrigins: list(.s3CorsOrigins),
            logsRequests: flag(.s3AccessLog, default: false),
            reservedBytes: text(.diskReservedBytes).map { _ in
                Int64(integer(.diskReservedBytes, default: 0, in: 0...1 << 50))
            },
            scrub: ScrubSettings(
                everyDays: integer(.scrubEveryDays, default: 30, in: 0...3650),
                bytesPerSecond: integer(.scrubBytesPerSecond, default: 8 << 20, in: 64 << 10...1 << 40))
        )
    }

    private mutating func bucket(_ environment: DeploymentEnvironment) -> BucketSettings {
        let region = region()
        let endpoint = baseURL(.s3Endpoint) ?? ServiceEndpoint.aws("s3", region: region)
        let own = baseURL(.s3InternalEndpoint) ?? endpoint
        // Engines other than AWS have their token service at the same address.
        let tokenService = ServiceEndpoint(own)?.isAWS == true ? ServiceEndpoint.aws("sts", region: region) : own
        return BucketSettings(
            name: bucketName(environment), region: region, endpoint: endpoint, internalEndpoint: own,
            usesPathStyle: text(.s3PathStyle).map { _ in flag(.s3PathStyle, default: true) },
            expectedOwner: text(.s3ExpectedBucketOwner), keys: keys(.s3AccessKeyID, .s3SecretAccessKey),
            uploadKeys: keys(.uploadAccessKeyID, .uploadSecretAccessKey), awsVariables: awsVariables,
            roleARN: text(.stsRoleARN) ?? "", externalID: externalID(), eraserRoleARN: text(.stsEraserRoleARN),
            tokenService: baseURL(.stsEndpoint) ?? tokenService
        )
    }

    private func region() -> String { text(.s3Region) ?? "us-east-1" }

    private func bucketName(_ environment: DeploymentEnvironment) -> String {
        text(.s3Bucket) ?? "photolala-\(environment.rawValue)"
    }

    private mutating func externalID() -> ExternalID? {
        guard let text = text(.stsExternalID) else { return nil }
        let externalID = ExternalID(text)
        if externalID == nil {
            report("sts.externalID: must be 2 to 1224 of A-Z, a-z, 0-9 and _+=,.@:/-, not \"\(text)\"")
        }
        return externalID
    }

    private mutating func keys(_ idName: SettingName, _ secretName: SettingName) -> AWSCredentials? {
        let (id, secret) = (text(idName, isSecret: true), text(secretName, isSecret: true))
        if let id, let secret { return AWSCredentials(accessKeyID: id, secretAccessKey: secret) }
        if id != nil { report("\(secretName.rawValue): required with \(idName.rawValue)") }
        if secret != nil { report("\(idName.rawValue): required with \(secretName.rawValue)") }
        return nil
    }
}

extension BucketSettings {
    /// Reports values that are invalid in every environment.
    func reportEverywhere(to reader: inout SettingsReader) {
        if !BucketARN.isBucketName(name) {
            reader.report(
                "s3.bucket: must be 3 to 63 of a-z, 0-9, . and -, with a letter or digit at both ends, not \"\(name)\"")
        } else if let owner = expectedOwner, !S3Settings.isAccount(owner) {
            reader.report("s3.expectedBucketOwner: must be the 12 digits of an AWS account, not \"\(owner)\"")
        } else if connection == nil {
            reader.report(
                "s3.endpoint, s3.internalEndpoint: must have no user, query or fragment: \(internalEndpoint)"
            )
        }
        if roleARN.isEmpty {
            reader.report("sts.roleARN: required: the role of the users' credentials, arn:aws:iam::ACCOUNT:role/NAME")
        } else if RoleARN(roleARN) == nil {
            reader.report("sts.roleARN: must be arn:aws:iam::ACCOUNT:role/NAME, not \"\(roleARN)\"")
        }
        if let eraserRoleARN, RoleARN(eraserRoleARN) == nil {
            reader.report("sts.eraserRoleARN: must be arn:aws:iam::ACCOUNT:role/NAME, not \"\(eraserRoleARN)\"")
        }
        guard keys == nil else { return }
        for (one, other) in [
            ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"),
            ("AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN"),
        ] where awsVariables[one] != nil && awsVariables[other] == nil {
            reader.report("\(other): required with \(one)")
        }
    }

    /// Reports what `prod` requires in addition to https.
    func reportInProd(to reader: inout SettingsReader) {
        if expectedOwner == nil, ServiceEndpoint(internalEndpoint)?.isAWS == true {
            reader.report("s3.expectedBucketOwner: required in prod: the 12 digits of the account that owns the bucket")
        }
        if eraserRoleARN == nil {
            reader.report(
                "sts.eraserRoleARN: required in prod: the role that erases deleted users' objects, "
                    + "arn:aws:iam::ACCOUNT:role/NAME")
        }
    }
}
