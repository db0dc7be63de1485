import { encodedPath } from '../siteAddresses';
import { cloudFrontFunction } from './cloudFrontFunction';
import {
  comments,
  FOREVER,
  FRESH,
  immutablePaths,
  securityHeaders,
  splitHost,
  type HostingInput,
  type HostingOutput,
} from './common';

/** AWS documents no limit for this header. This is the limit for custom headers. */
export const MAX_CLOUDFRONT_HEADER = 1783;

/** Maximum number of cache behaviors. AWS allows 25 unless the account has a higher quota. */
const MAX_BEHAVIORS = 20;

/** Returns a CloudFormation template of a bucket, a distribution and its function. */
export function cloudFrontFiles(input: HostingInput): HostingOutput {
  const { site, remarks, host } = input;
  const { code, store, redirectsLeftOut } = cloudFrontFunction(site);
  const prefix = site.basePath === '' ? '' : site.basePath.slice(1);
  const target = `s3://BUCKET/${prefix}`;
  const content = `${comments([
    ...remarks,
    '',
    'Creates a bucket that only CloudFront can read, and a distribution in front of it. Deploy the stack in us-east-1:',
    'aws cloudformation deploy --stack-name docs-site --template-file docs-site.cloudformation.yaml',
    `Upload the bundle: aws s3 sync BUNDLE ${target} --delete`,
    'CloudFront checks for new pages every minute, so no invalidation is necessary.',
    ...(store === undefined
      ? []
      : [
          'The function has more redirects and folders than its code can hold. Upload ' +
            'docs-site.store.json to a bucket of yours and set the parameter StoreSource to its ARN.',
        ]),
  ])}
AWSTemplateFormatVersion: '2010-09-09'
Description: A documentation site on S3 and CloudFront
Parameters:
  Host:
    Type: String
    Default: ${text(splitHost(host).name)}
  CertificateArn:
    Type: String
    Default: ''
    Description: Certificate of the host in us-east-1. Without one, the site has the host of CloudFront.
${
  store === undefined
    ? ''
    : `  StoreSource:
    Type: String
    Description: ARN of docs-site.store.json in a bucket, such as arn:aws:s3:::my-bucket/docs-site.store.json
`
}Conditions:
  HasCertificate: !Not [!Equals [!Ref CertificateArn, '']]
Resources:
  Bucket:
    Type: AWS::S3::Bucket
    Properties:
      PublicAccessBlockConfiguration:
        BlockPublicAcls: true
        BlockPublicPolicy: true
        IgnorePublicAcls: true
        RestrictPublicBuckets: true
  BucketPolicy:
    Type: AWS::S3::BucketPolicy
    Properties:
      Bucket: !Ref Bucket
      PolicyDocument:
        Version: '2012-10-17'
        Statement:
          - Effect: Allow
            Principal:
              Service: cloudfront.amazonaws.com
            Action: s3:GetObject
            Resource: !Sub '\${Bucket.Arn}/*'
            Condition:
              StringEquals:
                AWS:SourceArn: !Sub 'arn:\${AWS::Partition}:cloudfront::\${AWS::AccountId}:distribution/\${Distribution}'
  Access:
    Type: AWS::CloudFront::OriginAccessControl
    Properties:
      OriginAccessControlConfig:
        Name: !Ref AWS::StackName
        OriginAccessControlOriginType: s3
        SigningBehavior: always
        SigningProtocol: sigv4
${
  store === undefined
    ? ''
    : `  Store:
    Type: AWS::CloudFront::KeyValueStore
    Properties:
      Name: !Ref AWS::StackName
      ImportSource:
        SourceType: S3
        SourceArn: !Ref StoreSource
`
}  Function:
    Type: AWS::CloudFront::Function
    Properties:
      Name: !Ref AWS::StackName
      AutoPublish: true
      FunctionConfig:
        Comment: Finds the file of an address without .html
        Runtime: cloudfront-js-2.0
${
  store === undefined
    ? ''
    : `        KeyValueStoreAssociations:
          - KeyValueStoreARN: !GetAtt Store.Arn
`
}      FunctionCode: |
${code
  .trimEnd()
  .split('\n')
  .map((line) => (line === '' ? '' : `        ${line}`))
  .join('\n')}
  Caching:
    Type: AWS::CloudFront::CachePolicy
    Properties:
      CachePolicyConfig:
        Name: !Ref AWS::StackName
        MinTTL: 1
        DefaultTTL: 60
        MaxTTL: 31536000
        ParametersInCacheKeyAndForwardedToOrigin:
          EnableAcceptEncodingBrotli: true
          EnableAcceptEncodingGzip: true
          CookiesConfig:
            CookieBehavior: none
          HeadersConfig:
            HeaderBehavior: none
          QueryStringsConfig:
            QueryStringBehavior: none
${headersPolicy('FreshHeaders', 'fresh', FRESH, input)}${headersPolicy('ImmutableHeaders', 'immutable', FOREVER, input)}  Distribution:
    Type: AWS::CloudFront::Distribution
    Properties:
      DistributionConfig:
        Enabled: true
        HttpVersion: http2and3
        IPV6Enabled: true
        Aliases: !If [HasCertificate, [!Ref Host], !Ref AWS::NoValue]
        ViewerCertificate: !If
          - HasCertificate
          - AcmCertificateArn: !Ref CertificateArn
            MinimumProtocolVersion: TLSv1.2_2021
            SslSupportMethod: sni-only
          - CloudFrontDefaultCertificate: true
        Origins:
          - Id: bucket
            DomainName: !GetAtt Bucket.RegionalDomainName
            OriginAccessControlId: !GetAtt Access.Id
            S3OriginConfig:
              OriginAccessIdentity: ''
        DefaultCacheBehavior:
${behavior('FreshHeaders', '          ')}
          FunctionAssociations:
            - EventType: viewer-request
              FunctionARN: !GetAtt Function.FunctionARN
${cacheBehaviors(input)}${errorResponses(input)}Outputs:
  BucketName:
    Value: !Ref Bucket
  DistributionHost:
    Value: !GetAtt Distribution.DomainName
`;
  return {
    files: [
      { name: 'docs-site.cloudformation.yaml', content },
      { name: 'docs-site.function.js', content: code },
      ...(store === undefined ? [] : [{ name: 'docs-site.store.json', content: store }]),
    ],
    redirectsLeftOut,
  };
}

function behavior(headers: string, indent: string): string {
  return [
    'TargetOriginId: bucket',
    'ViewerProtocolPolicy: redirect-to-https',
    'Compress: true',
    'CachePolicyId: !Ref Caching',
    `ResponseHeadersPolicyId: !Ref ${headers}`,
  ]
    .map((line) => indent + line)
    .join('\n');
}

function cacheBehaviors({ site }: HostingInput): string {
  // AWS refuses a pattern with “%”, so files in folders with such names stay fresh.
  const paths = immutablePaths(site, true)
    .filter((path) => !path.includes('%'))
    .slice(0, MAX_BEHAVIORS);
  if (paths.length === 0) return '';
  return `        CacheBehaviors:
${paths
  .map(
    (path) => `          - PathPattern: ${text(path)}
${behavior('ImmutableHeaders', '            ')}
`,
  )
  .join('')}`;
}

/** Returns the page for missing files. A bucket that nobody may list answers 403 for them. */
function errorResponses({ site }: HostingInput): string {
  if (!site.hasNotFoundPage) return '';
  return `        CustomErrorResponses:
${[403, 404]
  .map(
    (code) => `          - ErrorCode: ${code}
            ResponseCode: 404
            ResponsePagePath: ${text(encodedPath(`${site.basePath}/404.html`))}
            ErrorCachingMinTTL: 10
`,
  )
  .join('')}`;
}

function headersPolicy(
  name: string,
  suffix: string,
  caching: string,
  { policy }: HostingInput,
): string {
  return `  ${name}:
    Type: AWS::CloudFront::ResponseHeadersPolicy
    Properties:
      ResponseHeadersPolicyConfig:
        Name: !Sub '\${AWS::StackName}-${suffix}'
        SecurityHeadersConfig:
          ContentSecurityPolicy:
            ContentSecurityPolicy: ${text(policy.value)}
            Override: true
          ContentTypeOptions:
            Override: true
          FrameOptions:
            FrameOption: ${securityHeaders['X-Frame-Options']}
            Override: true
          ReferrerPolicy:
            ReferrerPolicy: ${securityHeaders['Referrer-Policy']}
            Override: true
        CustomHeadersConfig:
          Items:
            - Header: Cache-Control
              Value: ${text(caching)}
              Override: true
            - Header: Permissions-Policy
              Value: ${text(securityHeaders['Permissions-Policy'])}
              Override: true
`;
}

/** Returns a YAML string. */
function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
