import S3Protocol
import StorageAccess

/// The token service, the role of users' credentials, and the store settings sent to devices.
package struct STSSettings: Sendable, Equatable {
    package let role: RoleARN
    /// The external id that the role's trust policy demands; `nil` sends none.
    package var externalID: ExternalID?
    package let region: String
    /// The URL at which devices reach S3.
    package let storeEndpoint: String
    package let bucket: String
    /// The long-lived keys of a user that may only put photos and thumbnails: they sign upload addresses that outlast a
    /// session of the role. `nil` if there are none, so that no address lasts longer than an hour.
    package var uploadKeys: AWSCredentials?
    /// The maximum number of attempts of a call. Each attempt may take five seconds.
    package var attempts = 3

    let endpoint: ServiceEndpoint
    /// Whether policies can compare the time of a request (`aws:CurrentTime`). Known of AWS; SeaweedFS denies such a request.
    var comparesTime: Bool { endpoint.isAWS }
    let bucketARN: BucketARN

    /// Returns `nil` for a bucket name that is invalid in S3, an empty region, or an invalid URL.
    /// - Parameters:
    ///   - region: The region of the token service and of the bucket.
    ///   - endpoint: The URL of the token service; AWS's own in the region by default.
    ///   - storeEndpoint: The URL at which devices reach S3, path-style; AWS's own in the region by default.
    package init?(
        role: RoleARN, region: String, endpoint: String? = nil, bucket: String, storeEndpoint: String? = nil
    ) {
        let storeEndpoint = storeEndpoint ?? ServiceEndpoint.aws("s3", region: region)
        guard let endpoint = ServiceEndpoint(endpoint ?? ServiceEndpoint.aws("sts", region: region)),
            let bucketARN = BucketARN(partition: role.partition, bucket: bucket), !region.isEmpty,
            ServiceEndpoint(storeEndpoint) != nil
        else { return nil }
        self.role = role
        self.region = region
        self.endpoint = endpoint
        self.bucket = bucket
        self.bucketARN = bucketARN
        self.storeEndpoint = storeEndpoint
    }
}
