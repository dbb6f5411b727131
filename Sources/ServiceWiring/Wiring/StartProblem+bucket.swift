import AWSServices

extension StartProblem {
    /// Returns the message about a bucket's problem, with the operator's remedy.
    static func text(_ fault: BucketCheck.Fault, _ settings: Settings) -> String {
        let place = settings.store.location
        return switch fault {
        case .noBucket: "\(place) does not exist. Create it, or correct s3.bucket"
        case .wrongRegion(let region?): "\(place) is in the region \(region). Set s3.region to it"
        case .wrongRegion(nil): "\(place) is not in the region \(settings.store.region). Correct s3.region"
        case .clockSkew(let seconds?):
            "the clock of this machine is \(abs(seconds)) seconds \(seconds < 0 ? "behind" : "ahead of") that of "
                + "\(place), which rejects all requests. Set the clock"
        case .clockSkew(nil): "the clock of this machine differs too much from that of \(place). Set the clock"
        case .credentialsRejected(let words): "\(place) rejected the server's credentials (\(words)). Correct them"
        case .listDenied:
            "the server's credentials cannot list \(place). Allow s3:ListBucket on the bucket itself: without it, "
                + "missing and forbidden objects cannot be distinguished"
        case .denied(let words):
            "\(place) denied access (\(words)). Allow s3:ListBucket on the bucket and s3:GetObject, s3:PutObject and "
                + "s3:DeleteObject on its objects, and set s3.expectedBucketOwner to its owner"
        case .ignoresConditions:
            "\(place) ignores conditional writes, so accounts could be lost. Use another engine, or a newer version"
        case .acceptsStaleSignatures:
            "\(place) accepts requests signed 30 minutes ago, or sends no Date header, so delayed requests could "
                + "delete photos. Use another engine, or a newer version"
        case .retainsObjects:
            "\(place) retains every object by Object Lock in compliance mode, so deleted accounts could not be erased. "
                + "Remove the default retention"
        case .unavailable(let words): "\(place) is not usable: \(words)"
        }
    }
}
