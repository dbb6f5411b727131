import StorageAccess

/// Who hands out users' credentials, whose role they are of, and what devices are told of the store that they open.
package struct STSSettings: Sendable, Equatable {
    package let role: RoleARN
    package let region: String
    /// Where devices reach S3.
    package let storeEndpoint: String
    package let bucket: String
    /// How often a call is tried that may work later. Each try may take five seconds.
    package var attempts = 3

    let endpoint: ServiceEndpoint
    /// Whether policies can compare the time of a request (`aws:CurrentTime`). Known of AWS; SeaweedFS denies such a request.
    var comparesTime: Bool { endpoint.isAWS }
    let bucketARN: BucketARN

    /// Gives `nil` for a bucket name that S3's rule forbids, an empty region, or an address that is none.
    /// - Parameters:
    ///   - region: of the token service and of the bucket.
    ///   - endpoint: the token service's address; AWS's own of the region by default.
    ///   - storeEndpoint: the address at which devices reach S3, path-style; AWS's own of the region by default.
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
